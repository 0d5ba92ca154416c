"""What the drivers share: the suite, a clock that shows the time of the read in
hand, a server that sends each read at its time, and stand-ins for what a tool
imports and its measuring code does not use.
"""
import asyncio
import base64
import glob
import importlib.abc
import importlib.machinery
import importlib.util
import json
import logging
import sys
import time
import types

logging.disable(logging.CRITICAL)
PATH = "/v1/chat/completions"
now = 0.0  # seconds since the start of the request


class Clock:
    """Stands in for the module time in the code that measures."""

    perf_counter = monotonic = time = staticmethod(lambda: now)
    perf_counter_ns = monotonic_ns = time_ns = staticmethod(lambda: round(now * 1e9))

    def __getattr__(self, name):
        return getattr(time, name)


def at(seconds):
    global now
    now = seconds


def streams():
    """The streams of the suite in OpenAI's chat dialect, which all tools read."""
    for path in sorted(glob.glob(sys.argv[1] + "/*.json")):
        with open(path) as f:
            stream = json.load(f)
        if stream["request"]["url"].endswith(PATH):
            yield stream


def reads(stream):
    """The bytes of each read; the clock stands at its time while they are handled."""
    for read in stream["chunks"]:
        at(read["t_ms"] / 1e3)
        yield base64.b64decode(read["b64"]) if "b64" in read else read["text"].encode()
    at(stream["end_ms"] / 1e3)


def breaks(stream):
    return "end_reason" in stream


async def handled():
    """Lets the client in the same event loop handle what was just sent."""
    for _ in range(40):
        await asyncio.sleep(0)


class Server:
    """Answers every POST with the stream that is set."""

    stream = None

    async def start(self):
        self.server = await asyncio.start_server(self.answer, "127.0.0.1", 0)
        self.address = "http://127.0.0.1:%d" % self.server.sockets[0].getsockname()[1]
        return self

    async def answer(self, r, w):
        try:
            while True:
                head = (await r.readuntil(b"\r\n\r\n")).decode("latin1").lower()
                await r.readexactly(next((int(l.split(":")[1]) for l in head.split("\r\n") if l.startswith("content-length:")), 0))
                answer = self.stream["response"]
                fields = "".join(f"{k}: {v}\r\n" for k, v in answer["headers"].items())
                w.write(f"HTTP/1.1 {answer['status']} Said\r\n{fields}Transfer-Encoding: chunked\r\n\r\n".encode())
                await w.drain()
                await handled()
                for data in reads(self.stream):
                    w.write(b"%x\r\n%s\r\n" % (len(data), data))
                    await w.drain()
                    await handled()
                if breaks(self.stream):
                    w.transport.abort()
                    return
                w.write(b"0\r\n\r\n")
                await w.drain()
                await handled()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            w.close()


def say(measure):
    """Prints what the coroutine measure(stream, server) says of each stream."""

    async def all():
        server, out = await Server().start(), {}
        for stream in streams():
            server.stream = stream
            at(0)
            try:
                out[stream["name"]] = await measure(stream, server)
            except Exception as fault:  # the tool stops: no success
                out[stream["name"]] = {"success": False, "stops": repr(fault)[:200]}
        return out

    json.dump(asyncio.run(all()), sys.stdout)


def ms(seconds):
    return None if seconds is None else round(seconds * 1e3, 6)


class Words:
    """A tokenizer for which a word is a token."""

    def encode(self, text, **_):
        return (text or "").split()

    def decode(self, tokens, **_):
        return " ".join(tokens)


class _Kind(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing

    def __iter__(cls):
        return iter(())


class Nothing(metaclass=_Kind):
    """A name of a package that is not there: a class, a function or a decorator."""

    def __init__(self, *_, **__):
        pass

    def __init_subclass__(cls, **_):
        pass

    def __class_getitem__(cls, _):
        return cls

    def __call__(self, *args, **_):
        return args[0] if args and callable(args[0]) else self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()

    @classmethod
    def __get_pydantic_core_schema__(cls, *_):
        from pydantic_core import core_schema

        return core_schema.any_schema()


class _Absent(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self, own, unused):
        self.own, self.unused = own, unused

    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if (name + ".").startswith(self.unused):
            return importlib.util.spec_from_loader(name, self, is_package=True)
        if top in self.own or top in sys.stdlib_module_names or importlib.machinery.PathFinder.find_spec(top) or not self.asked():
            return None
        return importlib.util.spec_from_loader(name, self, is_package=True)

    def asked(self):
        """Whether the tool imports it: what is installed tries packages that may be absent."""
        frame = sys._getframe(2)
        while "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        return frame.f_globals.get("__name__", "").partition(".")[0] in self.own

    def create_module(self, spec):
        module = types.ModuleType(spec.name)
        module.__path__ = []
        module.__getattr__ = lambda name: _missing(name)
        return module

    def exec_module(self, module):
        pass


class _First(importlib.abc.MetaPathFinder):
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        return self.finder.find_spec(name) if (name + ".").startswith(self.finder.unused) else None


def _missing(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return Nothing


def stand_ins(own, *unused):
    """What the tool imports and is not installed imports as nothing, and so do its own packages that are named as unused."""
    finder = _Absent([own], tuple(name + "." for name in unused) or ("-",))
    sys.meta_path.append(finder)
    if unused:
        sys.meta_path.insert(0, _First(finder))


def parent(name):
    """A package of which only parts are wanted: its own start is not run."""
    spec = importlib.machinery.PathFinder.find_spec(name.rpartition(".")[2], sys.modules[name.rpartition(".")[0]].__path__ if "." in name else None)
    module = types.ModuleType(name)
    module.__path__ = list(spec.submodule_search_locations)
    sys.modules[name] = module
    return module
