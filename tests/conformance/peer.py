"""The library, in a process of its own: `replay --run`."""

import json
import subprocess


class Peer:
    def __init__(self, path):
        self.path = str(path)
        self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process:
            self.process.stdin.close()
            self.process.wait()

    def run(self, program):
        """The observation of one program; {"bad": ...} if the process dies of it."""
        if not self.process or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [self.path, "--run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        try:
            self.process.stdin.write(json.dumps({"steps": program["steps"]}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            return json.loads(line)
        return {"bad": f"the library died with {self.process.wait()}", "registers": {}}
