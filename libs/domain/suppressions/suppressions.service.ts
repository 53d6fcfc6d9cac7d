import { type WorkspaceScope } from '@domain/access';
import { AuditService } from '@domain/audit';
import { type MessageResponse } from '@domain/identity';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import {
  type Page,
  PageService,
  parseId,
  rerunOnWriteConflict,
  searchFilter,
  TransactionService,
} from '@platform/database';
import { notFound } from '@platform/errors';
import { HookRegistry } from '@platform/hooks';
import { parseEmailAddress } from '@platform/validation';
import { type Model } from 'mongoose';
import {
  type SuppressionQuery,
  type SuppressionResponse,
  type SuppressionsAddedResponse,
  toSuppression,
} from './dto/suppression.dto';
import { type SuppressionAct, SuppressionEntryRecord } from './schemas/suppression-entry.record';
import { SuppressionRecord, type SuppressionSource } from './schemas/suppression.record';
import { type SuppressedValues, SUPPRESSION_HOOKS } from './suppression-hooks';
import { type SuppressionInput, parseSuppressions, getSuppressors, type SuppressionValue } from './suppression-values';

export interface NewSuppressions extends SuppressionInput {
  /** Shown in the suppression list. */
  reason?: string;
}

/** The cause of a suppression. */
export interface SuppressionOrigin {
  source: SuppressionSource;
  /** The send that was unsubscribed from, complained about or bounced. */
  sendId?: string | null;
}

/** The cause as the ledger stores it. */
interface LedgerOrigin {
  source: SuppressionSource;
  reason: string | null;
  sendId: string | null;
}

/** Values per query. A thousand addresses have about 3 000 suppressors; MongoDB limits a command to 48 MB. */
const MAX_QUERY_VALUES = 10_000;
/** Values that an audit entry names; the ledger has all of them. */
const MAX_AUDITED_VALUES = 20;

/**
 * The addresses and domains that a workspace must not write to, with the append-only ledger of opt-outs. A change and its
 * ledger entries share one transaction: neither exists without the other.
 */
@Injectable()
export class SuppressionsService {
  constructor(
    @InjectModel(SuppressionRecord.name) private readonly suppressions: Model<SuppressionRecord>,
    @InjectModel(SuppressionEntryRecord.name) private readonly entries: Model<SuppressionEntryRecord>,
    private readonly hooks: HookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
  ) {}

  /**
   * Suppresses 1 to 1000 addresses and domains, all or none, and returns once nothing more is sent to any of them.
   * Existing suppressions stay unchanged. The call is repeatable: after a failure, a repetition completes it.
   *
   * Do not call it in a transaction: a send in progress must see the suppression before the hooks run.
   * @throws VALIDATION_ERROR naming each entry that is no address or no domain (`addresses.0`); nothing is stored
   */
  async add(
    workspace: WorkspaceScope,
    { reason, ...input }: NewSuppressions,
    { source, sendId = null }: SuppressionOrigin,
  ): Promise<SuppressionsAddedResponse> {
    const values = parseSuppressions(input);
    const origin = { source, reason: reason ?? null, sendId };
    const added = await this.transactions.run(() => this.#add(workspace, values, origin));
    await this.hooks.call(SUPPRESSION_HOOKS, 'suppressed', workspace, groupByKind(values, source));
    const entries = (input.addresses?.length ?? 0) + (input.domains?.length ?? 0);
    return { added, existing: entries - added };
  }

  /**
   * Suppresses addresses and domains in the running transaction and writes the effects on their leads there, so that no
   * cause (a bounce, say) is stored without its suppression. Call `add` with the same values after the transaction: it
   * withholds the sends in progress. A crash in between withholds none, but every email is checked against the list first.
   * @throws VALIDATION_ERROR as `add`
   */
  async record(
    workspace: WorkspaceScope,
    { reason, ...input }: NewSuppressions,
    { source, sendId = null }: SuppressionOrigin,
  ): Promise<void> {
    const values = parseSuppressions(input);
    await this.transactions.run(async () => {
      await this.#add(workspace, values, { source, reason: reason ?? null, sendId });
      await this.hooks.call(SUPPRESSION_HOOKS, 'recorded', workspace, groupByKind(values, source));
    });
  }

  /**
   * Removes one suppression. Leads that it stopped stay stopped, and the ledger keeps both facts.
   * @throws NOT_FOUND
   */
  async remove(workspace: WorkspaceScope, suppressionId: string): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    const _id = parseId(suppressionId);
    await this.transactions.run(async () => {
      const record = _id && (await this.suppressions.findOneAndDelete({ _id, workspaceId }).lean<SuppressionRecord>());
      if (!record) throw notFound('Suppression');
      const { value, source, reason } = record;
      await this.#writeEntries(workspace, 'removed', [record], { source, reason, sendId: null });
      await this.audit.record(workspace, {
        action: 'suppression.removed',
        target: { type: 'suppression', id: record._id.toHexString() },
        changes: { value: { from: value, to: null }, source: { from: source, to: null } },
      });
      await this.hooks.call(SUPPRESSION_HOOKS, 'lifted', workspace, groupByKind([record], source));
    });
    return { message: 'Suppression removed' };
  }

  /** Newest first; `search` matches the address or domain. */
  async list(workspace: WorkspaceScope, query: SuppressionQuery): Promise<Page<SuppressionResponse>> {
    const { workspaceId } = workspace;
    const { kind, source, search, limit, cursor } = query;
    const filter = {
      workspaceId,
      ...(kind === undefined ? {} : { kind }),
      ...(source === undefined ? {} : { source }),
      ...searchFilter(search, ['value']),
    };
    return this.pages.read(
      this.suppressions,
      { scope: workspaceId, filter, without: ['workspaceId'], page: { limit, cursor } },
      toSuppression,
    );
  }

  /**
   * Returns those of the addresses that are suppressed, spelled as in the input: by the address itself, its domain or a
   * parent domain. One indexed query serves a thousand of them. An invalid address is never suppressed.
   */
  async matching(workspaceId: string, emails: readonly string[]): Promise<Set<string>> {
    const suppressors = new Map<string, string[]>();
    for (const email of emails) {
      const parsed = parseEmailAddress(email);
      if (parsed.ok) suppressors.set(email, getSuppressors(parsed.address));
    }
    const listed = await this.#findListed(workspaceId, [...new Set([...suppressors.values()].flat())]);
    const suppressed = [...suppressors].filter(([, values]) => values.some((value) => listed.has(value)));
    return new Set(suppressed.map(([email]) => email));
  }

  /** @see matching */
  async isSuppressed(workspaceId: string, email: string): Promise<boolean> {
    return (await this.matching(workspaceId, [email])).size > 0;
  }

  /** Whether the list contains this very address or domain, in normal form. */
  async isListed(workspaceId: string, value: string): Promise<boolean> {
    return (await this.#findListed(workspaceId, [value])).has(value);
  }

  /** Returns those of the values that the list contains. */
  async #findListed(workspaceId: string, values: readonly string[]): Promise<Set<string>> {
    const listed = new Set<string>();
    for (let start = 0; start < values.length; start += MAX_QUERY_VALUES) {
      const value = { $in: values.slice(start, start + MAX_QUERY_VALUES) };
      const found = await this.suppressions.find({ workspaceId, value }, { _id: 0, value: 1 }).lean();
      for (const one of found) listed.add(one.value);
    }
    return listed;
  }

  async #add(workspace: WorkspaceScope, values: readonly SuppressionValue[], origin: LedgerOrigin): Promise<number> {
    const { workspaceId, actor } = workspace;
    const { source, reason } = origin;
    const known = await this.#findListed(
      workspaceId,
      values.map(({ value }) => value),
    );
    const fresh = values.filter(({ value }) => !known.has(value));
    await this.#writeRepeated(
      workspace,
      values.filter(({ value }) => known.has(value)),
      origin,
    );
    if (fresh.length === 0) return 0;
    const records = fresh.map((value) => ({ ...value, workspaceId, source, reason, createdBy: actor }));
    await rerunOnWriteConflict(() => this.suppressions.insertMany(records));
    await this.#writeEntries(workspace, 'added', fresh, origin);
    await this.#audit(workspace, fresh, source);
    return fresh.length;
  }

  async #writeEntries(
    { workspaceId, actor }: WorkspaceScope,
    act: SuppressionAct,
    values: readonly SuppressionValue[],
    origin: LedgerOrigin,
  ): Promise<void> {
    if (values.length === 0) return;
    const entries = values.map(({ kind, value }) => ({ workspaceId, act, kind, value, ...origin, actor }));
    await this.entries.insertMany(entries);
  }

  /** Records, once per message, that a further message led to opt-outs that were stored before. */
  async #writeRepeated(
    workspace: WorkspaceScope,
    values: readonly SuppressionValue[],
    origin: LedgerOrigin,
  ): Promise<void> {
    const { source, sendId } = origin;
    if (sendId === null || values.length === 0) return;
    const { workspaceId } = workspace;
    const value = { $in: values.map((one) => one.value) };
    const stored = await this.entries
      .find({ workspaceId, value, source, sendId, act: { $ne: 'removed' } }, { value: 1 })
      .lean();
    const known = new Set(stored.map((entry) => entry.value));
    const fresh = values.filter((one) => !known.has(one.value));
    await this.#writeEntries(workspace, 'repeated', fresh, origin);
  }

  /** Audits only people's changes: the platform's own, one per message, would bury them, and the ledger has them. */
  async #audit(
    workspace: WorkspaceScope,
    added: readonly SuppressionValue[],
    source: SuppressionSource,
  ): Promise<void> {
    if (workspace.actor.kind === 'system') return;
    await this.audit.record(workspace, {
      action: 'suppressions.added',
      target: { type: 'workspace', id: workspace.workspaceId },
      changes: {
        added: { from: 0, to: added.length },
        source: { from: null, to: source },
        values: { from: null, to: added.slice(0, MAX_AUDITED_VALUES).map(({ value }) => value) },
      },
    });
  }
}

function groupByKind(values: readonly SuppressionValue[], source: SuppressionSource): SuppressedValues {
  const of = (kind: SuppressionValue['kind']) => values.filter((one) => one.kind === kind).map(({ value }) => value);
  return { addresses: of('address'), domains: of('domain'), source };
}
