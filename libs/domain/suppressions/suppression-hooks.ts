import { type WorkspaceScope } from '@domain/access';
import { defineHook } from '@platform/hooks';
import { type SuppressionSource } from './schemas/suppression.record';

/** Values in normal form; a domain includes its subdomains. */
export interface SuppressedValues {
  readonly addresses: readonly string[];
  readonly domains: readonly string[];
  readonly source: SuppressionSource;
}

/** A higher domain's reaction to suppressed addresses, and to removed suppressions. */
export interface SuppressionHooks {
  /**
   * Stops everything that would write to them and returns once nothing more is submitted to a mail server. Runs after the
   * suppressions are stored and before the caller gets its answer. It also receives suppressions that existed before, so
   * it must be repeatable.
   */
  suppressed?(workspace: WorkspaceScope, values: SuppressedValues): Promise<void>;
  /**
   * Writes the part that can join the transaction of the cause, so that a crash right after it loses nothing. `suppressed`
   * still runs after that transaction.
   */
  recorded?(workspace: WorkspaceScope, values: SuppressedValues): Promise<void>;
  /** Runs in the transaction of the removal; another suppression may still cover the values. */
  lifted?(workspace: WorkspaceScope, values: SuppressedValues): Promise<void>;
}

/** Called when addresses are suppressed, and when a suppression is removed. */
export const SUPPRESSION_HOOKS = defineHook<SuppressionHooks>('suppressions');
