"""The one reader of the tables in data/: functions, pyACL names, codes, conditions."""
