import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';

/** What a room does about the switch. */
export interface AgentKillSwitchHook {
  /**
   * The agents of the workspace were switched off: take back what is open, and return when nothing more of it goes out. Called
   * when that is on record and before anybody is told so, also when they were off before: it must be repeatable.
   */
  switchedOff(workspace: WorkspaceScope, reason: string): Promise<void>;
}

/** Where the rooms that let something out register at the start of the process. */
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
