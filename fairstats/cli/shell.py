"""``fairstats completion`` and ``fairstats help``: what a shell and its user ask."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")


@click.command(short_help="Print what makes a shell complete commands and options.")
@click.argument("shell", type=click.Choice(SHELLS))
def completion(shell: str) -> None:
    """Print the script that completes commands and options by TAB.

    \b
      bash: eval "$(fairstats completion bash)"      in ~/.bashrc
      zsh:  eval "$(fairstats completion zsh)"       in ~/.zshrc
      fish: fairstats completion fish | source       in ~/.config/fish/config.fish
    """
    made = get_completion_class(shell)
    assert made is not None  # the choices are click's own
    root = click.get_current_context().find_root().command
    click.echo(made(root, {}, "fairstats", "_FAIRSTATS_COMPLETE").source())


@click.command("help", short_help="Show the help of a command.")
@click.argument("words", nargs=-1, metavar="[COMMAND]...")
def help_(words: tuple[str, ...]) -> None:
    """Show the help of COMMAND, or of all."""
    context = click.get_current_context().find_root()
    command = context.command
    for word in words:
        found = command.get_command(context, word) if isinstance(command, click.Group) else None
        if found is None:
            raise click.UsageError(f"no such command {word!r}.")
        command = found
        context = click.Context(command, parent=context, info_name=word)
    click.echo(command.get_help(context))
