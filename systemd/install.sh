#!/bin/sh
# Installs Pilewatch on Raspberry Pi OS (Bookworm or Trixie, 64-bit), or upgrades it.
#
#   sudo systemd/install.sh               install, or upgrade: safe to run again
#   sudo systemd/install.sh --dry-run     say what would be done, and do nothing
#   sudo systemd/install.sh --uninstall   remove it; scores and settings stay
#
#   --wheels DIR   take Python's packages from this folder: no network is needed then
#   --root DIR     install into a tree instead of /, for trying out
#
# Exit codes: 0 done; 1 something failed, said above; 2 a wrong word on the command line;
# 3 this machine cannot run it, with the reason.
set -eu
# The service is another user: whoever installs may keep his own files to himself.
umask 022

here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
root=
wheels=
dry=no
act=install

fail() {
    echo "install.sh: $2" >&2
    exit "$1"
}

while [ $# -gt 0 ]; do
    case $1 in
        --dry-run) dry=yes ;;
        --uninstall) act=uninstall ;;
        --root | --wheels)
            [ $# -gt 1 ] || fail 2 "$1 takes a folder"
            [ -d "$2" ] || fail 2 "$1: there is no folder $2"
            if [ "$1" = --root ]; then root=$(cd -- "$2" && pwd -P); else wheels=$(cd -- "$2" && pwd -P); fi
            shift
            ;;
        -h | --help)
            sed -n '2,13s/^# \{0,1\}//p' "$0"
            exit 0
            ;;
        *) fail 2 "there is no option $1; expected --dry-run, --uninstall, --wheels DIR or --root DIR" ;;
    esac
    shift
done
[ "$root" != / ] || root=

settings=$root/etc/pilewatch.toml
program=$root/opt/pilewatch/program
venv=$root/opt/pilewatch/venv
# polkitd reads the rule by which the device may shut itself down.
packages="python3-venv python3-picamera2 python3-lgpio python3-numpy espeak-ng alsa-utils i2c-tools polkitd"

# Does it, or only says it.
do_() {
    if [ "$dry" = yes ]; then
        echo "would run: $*"
    else
        "$@"
    fi
}

put() { # FROM TO MODE
    do_ install -D -m "$3" "$1" "$root$2"
}

# Runs something that concerns the running system; a tree has none.
system() {
    if [ -z "$root" ]; then do_ "$@"; else echo "left out in a tree: $*"; fi
}

# Runs something that needs systemd at work: an image that is being made has none.
live() {
    if [ -z "$root" ] && [ ! -d /run/systemd/system ]; then
        echo "left out where systemd is not at work: $*"
    else
        system "$@"
    fi
}

release() {
    sed -n "s/^$1=//p" "$root/etc/os-release" 2>/dev/null | tr -d '"'
}

check_machine() {
    bits=$(getconf LONG_BIT 2>/dev/null || echo 0)
    arch=$(dpkg --print-architecture 2>/dev/null || uname -m)
    # A 64-bit kernel may carry a 32-bit system: what counts is what programs are built for.
    case $arch in
        arm64 | aarch64 | amd64 | x86_64) ;;
        *) fail 3 "this system is $arch ($bits bit). ONNX Runtime exists for 64-bit systems only: \
write the 64-bit Raspberry Pi OS to the card" ;;
    esac
    name=$(release VERSION_CODENAME)
    case $name in
        bookworm | trixie) ;;
        *) fail 3 "this system is ${name:-unknown}; expected Raspberry Pi OS or Debian, bookworm or trixie" ;;
    esac
    for command in systemctl systemd-sysusers udevadm; do
        [ -n "$root" ] || command -v "$command" >/dev/null ||
            fail 3 "$command is not there: the service is run by systemd, which this system lacks"
    done
    [ "$dry" = yes ] || [ -n "$root" ] || [ "$(id -u)" = 0 ] || fail 1 "it needs root: sudo $0"
}

missing() {
    for package in $packages; do
        dpkg-query --admindir="$root/var/lib/dpkg" -W -f='${db:Status-Status}\n' "$package" 2>/dev/null |
            grep -qx installed || printf '%s ' "$package"
    done
}

install_packages() {
    wanted=$(missing)
    if [ -z "$wanted" ]; then
        echo "packages: all are there"
    else
        # On a fresh system the lists are empty; stale ones name what is no longer there.
        system apt-get update ||
            echo "packages: their lists could not be renewed; those that are there are used" >&2
        # shellcheck disable=SC2086 # a list of names
        system apt-get install -y --no-install-recommends $wanted ||
            fail 1 "these packages could not be installed: ${wanted% }; expected a network, or an \
installation medium that apt knows"
    fi
}

# Writes a boot setting anew, as a whole or not at all: without it nothing starts.
rewrite() { # FILE SED-SCRIPT
    do_ sh -c "sed '$2' '$1' >'$1.new' && sync '$1.new' && mv '$1.new' '$1' && sync -f '$1'"
}

# The boot settings: I²C for the panel, and a camera that is found by itself.
boot_settings() {
    config=$root/boot/firmware/config.txt
    if [ ! -f "$config" ]; then
        echo "I²C and camera: no $config, so this is no Raspberry Pi; nothing is changed"
    else
        enable_i2c
        enable_camera
    fi
    if [ ! -f "$root/etc/modules-load.d/pilewatch.conf" ]; then
        do_ sh -c "mkdir -p '$root/etc/modules-load.d' && echo i2c-dev >'$root/etc/modules-load.d/pilewatch.conf'"
    fi
}

# Whether the boot settings switch this on for every board. What stands below [pi5] and the like
# counts on that board alone, and the last word counts. Both words are patterns.
is_on() { # BEGINNING-OF-LINE NAME
    awk -v line="^$1" -v names="^($2)(=|\$)" '
        BEGIN { all = 1 }
        { sub(/[ \t\r]+$/, "") }
        /^\[/ { all = $0 == "[all]" }
        sub(line, "") {
            count = split($0, each, ",")
            for (i = 1; i <= count; i++) {
                if (sub(names, "", each[i])) {
                    if (each[i] !~ /^(|on|yes|true|1)$/) on = 0
                    else if (all) on = 1
                }
            }
        }
        END { exit !on }' "$config"
}

enable_i2c() {
    if is_on dtparam= "i2c_arm|i2c"; then
        echo "I²C: is on"
    else
        echo "I²C: is switched on from the next start"
        # shellcheck disable=SC2016 # for sed: behind the last line
        rewrite "$config" '$a\
\
# For the panel of Pilewatch.\
[all]\
dtparam=i2c_arm=on'
    fi
}

enable_camera() {
    # Whoever names the sensor has switched its detection off on purpose.
    if grep -Eq '^dtoverlay=(imx|ov)[0-9]' "$config"; then
        echo "camera: its sensor is named in config.txt, and stays so"
    elif is_on "" camera_auto_detect; then
        echo "camera: is found by itself"
    else
        echo "camera: its detection is switched on from the next start"
        rewrite "$config" '$a\
\
# For the camera of Pilewatch.\
[all]\
camera_auto_detect=1'
    fi
    if grep -q '^start_x=1' "$config"; then
        echo "camera: the legacy camera, which keeps the new one away, is switched off"
        rewrite "$config" 's/^start_x=1/#&/'
    fi
}

lay_program() {
    # Into the place that is not in use: a plug pulled at any time leaves the old program whole.
    place=program-a
    [ "$(readlink "$program" 2>/dev/null)" != program-a ] || place=program-b
    do_ mkdir -p "$root/opt/pilewatch"
    do_ rm -rf "$root/opt/pilewatch/$place"
    do_ mkdir "$root/opt/pilewatch/$place"
    for part in engine vision models firmware systemd docs pyproject.toml requirements.lock README.md LICENSE CHANGELOG.md; do
        if [ -e "$here/$part" ]; then do_ cp -R "$here/$part" "$root/opt/pilewatch/$place/"; fi
    done
    # Other users can read it, whatever the copy that it comes from says.
    do_ chmod -R a+rX "$root/opt/pilewatch"
}

switch_program() {
    # By one rename, once its packages are there.
    do_ ln -sfn "$place" "$program.new"
    do_ sync -f "$root/opt/pilewatch"
    # An early version had a folder here, which no rename puts a link in the place of.
    if [ -d "$program" ] && [ ! -L "$program" ]; then do_ rm -rf "$program"; fi
    do_ mv -T "$program.new" "$program"
    do_ sync -f "$root/opt/pilewatch"
}

install_environment() {
    # The system's numpy, picamera2 and lgpio are seen through, and never replaced.
    # One of another Python, as after an upgrade of the system, has no packages at all.
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1; then
        do_ python3 -m venv --clear --system-site-packages "$venv"
    fi
    lock=$root/opt/pilewatch/pi.lock
    # A pin's hashes stand on the indented lines below it.
    do_ sh -c "awk '/^[^ ]/ { skip = /^numpy==/ } !skip' '$root/opt/pilewatch/$place/requirements.lock' >'$lock'"
    do_ "$venv/bin/python" -m pip install --quiet --no-deps --require-hashes \
        ${wheels:+--no-index --find-links "$wheels"} -r "$lock" ||
        fail 1 "the Python packages could not be installed; $(how_to_mend)"
}

how_to_mend() {
    if [ -z "$wheels" ]; then
        echo "without a network give --wheels DIR"
    else
        echo "expected in $wheels all that requirements.lock names, fetched for $(python3 --version) on $arch"
    fi
}

install_commands() {
    do_ sh -c "p=\$('$venv/bin/python' -c 'import sysconfig; print(sysconfig.get_path(\"purelib\"))') &&
        echo '/opt/pilewatch/program' >\"\$p/pilewatch.pth\""
    # While Python itself starts it would show where a Ctrl-C met it; the program lets it in.
    do_ sh -c "printf '#!/bin/sh\nexec env --block-signal=INT /opt/pilewatch/venv/bin/python -P -m firmware \"\$@\"\n' >'$venv/bin/pilewatch' &&
        chmod 755 '$venv/bin/pilewatch'"
    do_ mkdir -p "$root/usr/local/bin"
    do_ ln -sfn /opt/pilewatch/venv/bin/pilewatch "$root/usr/local/bin/pilewatch"
}

install_settings() {
    put "$here/systemd/pilewatch.service" /etc/systemd/system/pilewatch.service 644
    put "$here/systemd/pilewatch.sysusers" /usr/lib/sysusers.d/pilewatch.conf 644
    put "$here/systemd/60-pilewatch.rules" /etc/udev/rules.d/60-pilewatch.rules 644
    put "$here/systemd/50-pilewatch.rules" /etc/polkit-1/rules.d/50-pilewatch.rules 644
    if [ -e "$settings" ]; then
        echo "settings: $settings stays as it is"
    else
        do_ sh -c "cd '$program' && '$venv/bin/python' -m firmware config --defaults >'$settings'"
    fi
}

# Settings that cannot be used are told here, and not by a service that does not start.
check_settings() {
    as_service=
    # It is the service that must be able to read them; in a tree there is none.
    [ -n "$root" ] || as_service="runuser -u pilewatch --"
    # shellcheck disable=SC2016,SC2086 # words for the inner shell, and none where it is empty
    wrong=$($as_service env STATE_DIRECTORY=/var/lib/pilewatch sh -c '
        cd "$1" && "$2" -P -m firmware config --config "$3" 2>&1 >/dev/null' \
        sh "$program" "$venv/bin/python" "$settings") ||
        fail 1 "Pilewatch is in place, but its settings cannot be used (${wrong#pilewatch: }); put \
them right, and run this again"
}

start_service() {
    system systemd-sysusers /usr/lib/sysusers.d/pilewatch.conf
    live udevadm control --reload
    # What is plugged in already gets its group, too; without this only from the next start on.
    for match in subsystem-match=gpio subsystem-match=i2c-dev subsystem-match=dma_heap subsystem-match=media sysname-match=vcio; do
        live udevadm trigger --action=change "--$match"
    done
    live systemctl daemon-reload
    system systemctl enable pilewatch.service
    [ "$dry" = yes ] || check_settings
    live systemctl restart pilewatch.service
}

uninstall() {
    if [ -e "$root/etc/systemd/system/pilewatch.service" ]; then
        live systemctl stop pilewatch.service
        system systemctl disable pilewatch.service
    fi
    do_ rm -f "$root/etc/systemd/system/pilewatch.service" "$root/usr/lib/sysusers.d/pilewatch.conf" \
        "$root/etc/udev/rules.d/60-pilewatch.rules" "$root/etc/polkit-1/rules.d/50-pilewatch.rules" \
        "$root/etc/modules-load.d/pilewatch.conf" "$root/usr/local/bin/pilewatch"
    do_ rm -rf "$root/opt/pilewatch"
    live systemctl daemon-reload
    if [ "$dry" = yes ]; then
        echo "Nothing was changed."
        return
    fi
    echo "Pilewatch is removed. The scores stay in $root/var/lib/pilewatch, the settings in $settings."
    echo "Debian's packages, the user pilewatch, the groups gpio and i2c, and what config.txt says of I²C and camera stay, too."
}

if [ "$act" = uninstall ]; then
    [ "$dry" = yes ] || [ -n "$root" ] || [ "$(id -u)" = 0 ] || fail 1 "it needs root: sudo $0 --uninstall"
    uninstall
    exit 0
fi
check_machine
install_packages
boot_settings
lay_program
install_environment
switch_program
install_commands
install_settings
start_service
if [ "$dry" = yes ]; then
    echo "Nothing was changed."
else
    echo "Pilewatch is installed. It starts with the device; pilewatch doctor looks at each part."
fi
