"""clu.platform."""


class ArtifactType:
    DIRECTORY = 0
    URL = 1


class _WorkUnit:
    def set_task_status(self, *args):
        return None

    def set_notes(self, *args):
        return None

    def create_artifact(self, *args):
        return None

    id = 0


def work_unit():
    return _WorkUnit()
