import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type SuppressionSource } from './schemas/suppression.record';

/** Values in normal form; each domain stands for its subdomains too. */
export interface SuppressedValues {
  readonly addresses: readonly string[];
  readonly domains: readonly string[];
  readonly source: SuppressionSource;
}

/** What a higher domain does about addresses that must not be written to any more, or may be again. */
export interface SuppressionEffect {
  /**
   * Stops whatever would write to them, and returns when nothing more is given to a server. Called when the suppressions
   * are on record and before anybody is told so, also for those that were there before: it must be repeatable.
   */
  suppressed(workspace: WorkspaceScope, values: SuppressedValues): Promise<void>;
  /**
   * The part of it that can be written together with the suppressions, in the transaction of what led to them: a process
   * that dies right after that leaves nothing undone. `suppressed` is called all the same, when that transaction has ended.
   */
  recorded?(workspace: WorkspaceScope, values: SuppressedValues): Promise<void>;
  /** They are off the list; another suppression may still cover them. Called in the transaction of the removal. */
  lifted(workspace: WorkspaceScope, values: SuppressedValues): Promise<void>;
}

/** Where higher domains tell at the start of the process what suppressions do: they are not known down here. */
@Injectable()
export class SuppressionHookRegistry {
  readonly #effects = new Set<SuppressionEffect>();

  /** Call it once, when the module starts. */
  register(effect: SuppressionEffect): void {
    this.#effects.add(effect);
  }

  async suppressed(workspace: WorkspaceScope, values: SuppressedValues): Promise<void> {
    // One after the other: a transaction takes no calls side by side.
    for (const effect of this.#effects) await effect.suppressed(workspace, values);
  }

  async recorded(workspace: WorkspaceScope, values: SuppressedValues): Promise<void> {
    for (const effect of this.#effects) await effect.recorded?.(workspace, values);
  }

  async lifted(workspace: WorkspaceScope, values: SuppressedValues): Promise<void> {
    for (const effect of this.#effects) await effect.lifted(workspace, values);
  }
}
