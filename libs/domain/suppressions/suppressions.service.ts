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
import { parseEmailAddress } from '@platform/validation';
import { type Model } from 'mongoose';
import {
  type SuppressionQuery,
  type SuppressionResponse,
  type SuppressionsAddedResponse,
  toSuppression,
} from './dto/suppression.dto';
import { SuppressionRecord, type SuppressionSource } from './schemas/suppression.record';
import { type SuppressedValues, SuppressionHookRegistry } from './suppression-hook.registry';
import { type SuppressedHow, SuppressionLedgerService } from './suppression-ledger.service';
import { type SuppressionInput, suppressionValues, getSuppressors, type SuppressionValue } from './suppression-values';

export interface NewSuppressions extends SuppressionInput {
  /** For people who read the list. */
  reason?: string;
}

/** How suppressions come to be. */
export interface SuppressionOrigin {
  source: SuppressionSource;
  /** The send that was unsubscribed from, complained about or bounced. */
  sendId?: string | null;
}

/** Values in one query; far above what a thousand usual addresses have, far below what a command may weigh. */
const VALUES_IN_A_QUERY = 10_000;
/** Values that an audit entry names; the ledger has all of them. */
const AUDITED_VALUES = 20;

/** Whom the workspace must not write to. */
@Injectable()
export class SuppressionsService {
  constructor(
    @InjectModel(SuppressionRecord.name) private readonly suppressions: Model<SuppressionRecord>,
    private readonly ledger: SuppressionLedgerService,
    private readonly effects: SuppressionHookRegistry,
    private readonly audit: AuditService,
    private readonly transactions: TransactionService,
    private readonly pages: PageService,
  ) {}

  /**
   * Puts 1 to 1000 addresses and domains on the list, all or none, and returns when nothing more is sent to any of them.
   * Those that are there already stay as they are. After a failure, repeat it: it finishes what was begun.
   *
   * Not in a transaction of the caller: what is being sent must see the suppression before its effects are done.
   * @throws VALIDATION_ERROR naming each entry that is no address or no domain (`addresses.0`), with nothing stored
   */
  async add(
    workspace: WorkspaceScope,
    { reason, ...given }: NewSuppressions,
    { source, sendId = null }: SuppressionOrigin,
  ): Promise<SuppressionsAddedResponse> {
    const values = suppressionValues(given);
    const how = { source, reason: reason ?? null, sendId };
    const added = await this.transactions.run(() => this.#add(workspace, values, how));
    await this.effects.suppressed(workspace, byKind(values, source));
    const entries = (given.addresses?.length ?? 0) + (given.domains?.length ?? 0);
    return { added, existing: entries - added };
  }

  /**
   * Puts addresses and domains on the list in the running transaction, and writes there what follows for whoever has them:
   * the cause (a bounce, say) is not on record without its suppression. Call `add` with the same when the transaction has
   * ended: it holds back what is on its way. Whoever dies before that has withheld nothing, but the list is asked before
   * every email.
   * @throws VALIDATION_ERROR as `add`
   */
  async record(
    workspace: WorkspaceScope,
    { reason, ...given }: NewSuppressions,
    { source, sendId = null }: SuppressionOrigin,
  ): Promise<void> {
    const values = suppressionValues(given);
    await this.transactions.run(async () => {
      await this.#add(workspace, values, { source, reason: reason ?? null, sendId });
      await this.effects.recorded(workspace, byKind(values, source));
    });
  }

  /**
   * Takes one entry off the list; leads that it stopped stay stopped. The ledger keeps that it was there.
   * @throws NOT_FOUND
   */
  async remove(workspace: WorkspaceScope, suppressionId: string): Promise<MessageResponse> {
    const { workspaceId } = workspace;
    const _id = parseId(suppressionId);
    await this.transactions.run(async () => {
      const record = _id && (await this.suppressions.findOneAndDelete({ _id, workspaceId }).lean<SuppressionRecord>());
      if (!record) throw notFound('Suppression');
      const { value, source, reason } = record;
      await this.ledger.write(workspace, 'removed', [record], { source, reason, sendId: null });
      await this.audit.record(workspace, {
        action: 'suppression.removed',
        target: { type: 'suppression', id: record._id.toHexString() },
        changes: { value: { from: value, to: null }, source: { from: source, to: null } },
      });
      await this.effects.lifted(workspace, byKind([record], source));
    });
    return { message: 'Suppression removed' };
  }

  /** Newest first. `search` looks in the address or domain. */
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
   * Which of these addresses must not be written to, as they were given: they themselves are on the list, or their domain,
   * or a domain above it. One look into an index for a thousand of them. What is no address is never among them.
   */
  async matching(workspaceId: string, emails: readonly string[]): Promise<Set<string>> {
    const suppressors = new Map<string, string[]>();
    for (const email of emails) {
      const parsed = parseEmailAddress(email);
      if (parsed.ok) suppressors.set(email, getSuppressors(parsed.address));
    }
    const listed = await this.#listed(workspaceId, [...new Set([...suppressors.values()].flat())]);
    const suppressed = [...suppressors].filter(([, values]) => values.some((value) => listed.has(value)));
    return new Set(suppressed.map(([email]) => email));
  }

  /** @see matching */
  async isSuppressed(workspaceId: string, email: string): Promise<boolean> {
    return (await this.matching(workspaceId, [email])).size > 0;
  }

  /** Those of the values that are on the list. */
  async #listed(workspaceId: string, values: readonly string[]): Promise<Set<string>> {
    const listed = new Set<string>();
    for (let start = 0; start < values.length; start += VALUES_IN_A_QUERY) {
      const value = { $in: values.slice(start, start + VALUES_IN_A_QUERY) };
      const found = await this.suppressions.find({ workspaceId, value }, { _id: 0, value: 1 }).lean();
      for (const one of found) listed.add(one.value);
    }
    return listed;
  }

  async #add(workspace: WorkspaceScope, values: readonly SuppressionValue[], how: SuppressedHow): Promise<number> {
    const { workspaceId, actor } = workspace;
    const { source, reason } = how;
    const known = await this.#listed(
      workspaceId,
      values.map(({ value }) => value),
    );
    const fresh = values.filter(({ value }) => !known.has(value));
    await this.ledger.repeat(
      workspace,
      values.filter(({ value }) => known.has(value)),
      how,
    );
    if (fresh.length === 0) return 0;
    const records = fresh.map((value) => ({ ...value, workspaceId, source, reason, createdBy: actor }));
    await rerunOnWriteConflict(() => this.suppressions.insertMany(records));
    await this.ledger.write(workspace, 'added', fresh, how);
    await this.#audit(workspace, fresh, source);
    return fresh.length;
  }

  /** What the platform finds out by itself, message by message, is in the ledger and would drown what people did. */
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
        values: { from: null, to: added.slice(0, AUDITED_VALUES).map(({ value }) => value) },
      },
    });
  }
}

function byKind(values: readonly SuppressionValue[], source: SuppressionSource): SuppressedValues {
  const of = (kind: SuppressionValue['kind']) => values.filter((one) => one.kind === kind).map(({ value }) => value);
  return { addresses: of('address'), domains: of('domain'), source };
}
