"""python3 -m service --port 0 --mail-port 0 [--profile NAME[,NAME…]] [--bug NAME] [--events N]"""

import argparse
import json
import threading

from .api import PREFIX, Api
from .catalogue import BUGS, PROFILES
from .mail import Mailbox, Notifier
from .mailpit import Mailpit
from .settings import Settings
from .web import make_server
from .world import seed_world


def main():
    arguments = _arguments()
    if arguments.list:
        print(json.dumps([entry.as_json() for entry in PROFILES + BUGS], indent=2, ensure_ascii=False))
        return
    settings = Settings(
        port=arguments.port,
        mail_port=arguments.mail_port,
        profiles=_names(arguments.profile),
        bugs=_names(arguments.bug),
        events=arguments.events,
    )
    world = seed_world(settings)
    mailbox = Mailbox()
    notifier = Notifier(world.directory, mailbox, settings)
    api = make_server(settings.port, Api(world, notifier, settings))
    mailpit = make_server(settings.mail_port, Mailpit(mailbox))
    threading.Thread(target=mailpit.serve_forever, daemon=True).start()
    environment = world.environment(f"{_url(api)}{PREFIX}", _url(mailpit))
    print(json.dumps(environment, ensure_ascii=False), flush=True)
    try:
        api.serve_forever()
    except KeyboardInterrupt:
        pass


def _arguments():
    parser = argparse.ArgumentParser(prog="service", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--mail-port", type=int, default=0)
    parser.add_argument("--profile", default="", help="lawful ways, separated by commas")
    parser.add_argument("--bug", default="", help="bugs, separated by commas")
    parser.add_argument("--events", type=int, default=Settings.events, help="audit events to begin with")
    parser.add_argument("--list", action="store_true", help="print all profiles and bugs as JSON")
    return parser.parse_args()


def _names(text):
    return frozenset(name.strip() for name in text.split(",") if name.strip())


def _url(server):
    host, port = server.server_address[:2]
    return f"http://{host}:{port}"


if __name__ == "__main__":
    main()
