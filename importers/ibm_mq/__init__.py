"""IBM MQ: MQSC scripts, output of DISPLAY and dmpmqcfg, and ini files, to facts."""
