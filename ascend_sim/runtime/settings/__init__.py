"""What a process or a device can be set to: configuration files, limits, time-outs, dumps, the packages of the host."""
