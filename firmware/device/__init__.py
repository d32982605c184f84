"""The appliance: parts that may fail and come back, under one loop."""
