"""A plain asyncio/aiohttp client: what most tools time their streams with."""
import asyncio, json, resource, ssl, sys, time

import aiohttp

address, streams, before, digits = sys.argv[1], int(sys.argv[2]), sys.argv[3].encode(), int(sys.argv[4])
errors = []
headed = 0
everyone = asyncio.Event()


async def stream(session, gate):
    global headed
    async with gate:
        response = await session.post(address, data=b"{}")
    headed += 1
    if headed == streams:
        everyone.set()
    buffer = b""
    async with response:
        async for data in response.content.iter_any():
            now = time.monotonic_ns()
            buffer += data
            while True:
                frame, found, rest = buffer.partition(b"\n\n")
                if not found:
                    break
                buffer = rest
                at = frame.find(before)
                if at >= 0:
                    errors.append(now - int(frame[at + len(before):at + len(before) + digits]))


async def main():
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connector = aiohttp.TCPConnector(limit=0, ssl=context)
    timeout = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(connector=connector, timeout=timeout) as session:
        gate = asyncio.Semaphore(64)
        tasks = [asyncio.create_task(stream(session, gate)) for _ in range(streams)]
        await everyone.wait()
        begun = usage()
        await asyncio.gather(*tasks)
        return usage() - begun


def usage():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


cpu = asyncio.run(main())
errors.sort()
at = lambda q: errors[int(q * (len(errors) - 1))] / 1e3
json.dump({"frames": len(errors), "errors": {"read": {"p50": at(0.5), "p99": at(0.99), "max": at(1)}},
           "cpu_us": cpu * 1e6 / len(errors), "rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}, sys.stdout)
