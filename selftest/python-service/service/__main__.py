"""python3 -m service [--profile NAME[,NAME…]]: on free ports, whose settings are the first line"""

import argparse
import json
import threading

from .api import PREFIX, Api
from .mail import Mailbox, Notifier
from .mailpit import Mailpit
from .settings import PROFILES, Settings
from .web import make_server
from .world import seed_world


def main():
    parser = argparse.ArgumentParser(prog="service", description=__doc__)
    parser.add_argument("--profile", default="", help="lawful ways, separated by commas")
    parser.add_argument("--list", action="store_true", help="print all profiles as JSON")
    arguments = parser.parse_args()
    if arguments.list:
        print(json.dumps(list(PROFILES)))
        return
    settings = Settings(frozenset(filter(None, arguments.profile.split(","))))
    world = seed_world(settings)
    mailbox = Mailbox()
    api = make_server(Api(world, Notifier(world.directory, mailbox), settings))
    mailpit = make_server(Mailpit(mailbox))
    threading.Thread(target=mailpit.serve_forever, daemon=True).start()
    environment = world.environment(f"{_url(api)}{PREFIX}", _url(mailpit))
    print(json.dumps(environment, ensure_ascii=False), flush=True)
    try:
        api.serve_forever()
    except KeyboardInterrupt:
        pass


def _url(server):
    host, port = server.server_address[:2]
    return f"http://{host}:{port}"


if __name__ == "__main__":
    main()
