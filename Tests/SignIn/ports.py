"""A port for a server that can't choose one itself and must be told."""

import random
import socket
from pathlib import Path


def free_port():
    """A port below those that the system gives to connections, which could take it before its server does."""
    first = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    for port in random.sample(range(10000, first), 100):
        with socket.socket() as listener:
            # As servers do: a port with closing connections of an earlier server is free.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError(f"none of 100 ports below {first} is free")
