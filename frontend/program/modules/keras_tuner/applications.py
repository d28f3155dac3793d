"""keras_tuner.applications: models whose parts are searched for; which, is not known."""
