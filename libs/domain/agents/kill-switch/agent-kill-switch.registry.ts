import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';

/** Reaction of a part of this domain to the kill switch. */
export interface AgentKillSwitchHook {
  /**
   * The agents of the workspace were switched off: withdraw open replies, and return when nothing more of them is sent.
   * Called after the switch is stored and before it is acknowledged, also for a repeated request; it must be
   * repeatable.
   */
  switchedOff(workspace: WorkspaceScope, reason: string): Promise<void>;
}

/** Where the parts of this domain that send register their hooks at start. */
@Injectable()
export class AgentKillSwitchRegistry {
  readonly #hooks = new Set<AgentKillSwitchHook>();

  /** Call it once, when the module starts. */
  register(hook: AgentKillSwitchHook): void {
    this.#hooks.add(hook);
  }

  async switchedOff(workspace: WorkspaceScope, reason: string): Promise<void> {
    for (const hook of this.#hooks) await hook.switchedOff(workspace, reason);
  }
}
