"""python3 -m service [--profile NAME]: on free ports, whose settings are the first line"""

import argparse
import json
import threading

from .api import PREFIX, Api
from .mail import Mailbox, Notifier
from .settings import PROFILES, Settings
from .web import make_server
from .world import seed_world


def main():
    parser = argparse.ArgumentParser(prog="service", description=__doc__)
    parser.add_argument("--profile", choices=PROFILES, help="another lawful way")
    settings = Settings(parser.parse_args().profile)
    world = seed_world(settings)
    mailbox = Mailbox()
    api = make_server(Api(world, Notifier(world.directory, mailbox), settings), settings.way("text-errors"))
    mailpit = make_server(mailbox)
    threading.Thread(target=mailpit.serve_forever, daemon=True).start()
    environment = {"BASE_URL": f"{_url(api)}{PREFIX}", "MAILBOX_URL": _url(mailpit), **world.lent}
    print(json.dumps(environment), flush=True)
    api.serve_forever()


def _url(server):
    host, port = server.server_address[:2]
    return f"http://{host}:{port}"


if __name__ == "__main__":
    main()
