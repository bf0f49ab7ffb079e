mod stderr; mod turns; mod watch;
