"""Making the models: scenes, training, calibration, export and measuring."""
