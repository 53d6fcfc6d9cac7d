import { type WorkspaceScope } from '@domain/access';
import { CampaignRepository, PERSON_FIELDS } from '@domain/campaigns';
import {
  type FilledLead,
  LeadEnrichmentService,
  LeadInsertionService,
  type NewLead,
  type SkipReason,
} from '@domain/leads';
import { SuppressionsService } from '@domain/suppressions';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type Types } from 'mongoose';
import { OPTED_OUT, type PullMove } from './pull-plan';
import { getOutcome, type SyncOutcome, type SyncReason } from './sync-outcome';

/** Addresses that are put on the list at once. */
const SUPPRESSED_AT_ONCE = 1_000;

type Insert = Extract<PullMove, { do: 'insert' }>;
type Fill = Extract<PullMove, { do: 'fill' }>;

/** What was done in a transaction, and is to be followed up after it. */
export interface PulledLeads {
  /** One for each move, in their order. */
  readonly outcomes: readonly SyncOutcome[];
  readonly hasNew: boolean;
  readonly filled: readonly FilledLead[];
}

const FIELDS: ReadonlySet<string> = new Set(PERSON_FIELDS);
const REASONS: Partial<Record<SkipReason, SyncReason>> = {
  suppressed: 'suppressed',
  removed_from_campaign: 'removed_from_campaign',
  invalid_address: 'invalid_address',
};

/** Puts people of the CRM among the leads, by the rules for leads. */
@Injectable()
export class PulledPeopleService {
  constructor(
    private readonly insertion: LeadInsertionService,
    private readonly filling: LeadEnrichmentService,
    private readonly campaigns: CampaignRepository,
    private readonly suppressions: SuppressionsService,
    private readonly transactions: TransactionService,
  ) {}

  /**
   * Nobody may write to those of these addresses any more to whom somebody might: on the list with `require`, in its transaction, and held
   * back when this returns. Not in a transaction.
   * @param require throws when nothing is to be written
   */
  async optOut(workspace: WorkspaceScope, given: readonly string[], require: () => Promise<void>): Promise<void> {
    const listed = await this.suppressions.matching(workspace.workspaceId, given);
    const fresh = [...new Set(given)].filter((address) => !listed.has(address));
    for (let at = 0; at < fresh.length; at += SUPPRESSED_AT_ONCE) {
      const values = { addresses: fresh.slice(at, at + SUPPRESSED_AT_ONCE), reason: OPTED_OUT };
      await this.transactions.run(async () => {
        await require();
        await this.suppressions.record(workspace, values, { source: 'crm' });
      });
      await this.suppressions.add(workspace, values, { source: 'crm' });
    }
  }

  /** In a transaction, after which `follow` is to be called. @throws NOT_FOUND, CONFLICT, LIMIT_EXCEEDED: then nothing is done */
  async apply(workspace: WorkspaceScope, campaignId: Types.ObjectId, moves: readonly PullMove[]): Promise<PulledLeads> {
    const inserted = await this.#insert(
      workspace,
      campaignId,
      moves.filter((move) => move.do === 'insert'),
    );
    const outcomes: SyncOutcome[] = [];
    const filled: FilledLead[] = [];
    for (const move of moves) {
      if (move.do === 'insert') outcomes.push(inserted.get(move) ?? getOutcome('skipped', { reason: 'other' }));
      else if (move.do === 'fill') outcomes.push(await this.#fill(workspace, move, filled));
      else outcomes.push(move.outcome);
    }
    const hasNew = [...inserted.values()].some(({ result }) => result === 'created');
    return { outcomes, hasNew, filled };
  }

  /** After the transaction of `apply`: asks for what is to be done about leads. */
  async follow(workspace: WorkspaceScope, campaignId: Types.ObjectId, pulled: PulledLeads): Promise<void> {
    const { filled, hasNew } = pulled;
    for (const one of filled) await this.filling.scheduleSending(workspace, one);
    const campaign = hasNew ? await this.campaigns.peek(workspace.workspaceId, campaignId) : null;
    if (campaign) await this.insertion.scheduleSending(workspace, campaign);
  }

  async #insert(
    workspace: WorkspaceScope,
    campaignId: Types.ObjectId,
    moves: readonly Insert[],
  ): Promise<Map<Insert, SyncOutcome>> {
    const outcomes = new Map<Insert, SyncOutcome>();
    if (moves.length === 0) return outcomes;
    const rows = moves.map(rowOf);
    const done = await this.insertion.insert(workspace, campaignId.toHexString(), rows);
    for (const { index, _id } of done.leads) {
      const move = moves[index];
      if (move) outcomes.set(move, createdOf(move, _id));
    }
    for (const { index, reason } of [...done.duplicates, ...done.suppressed, ...done.invalid]) {
      const move = moves[index];
      const externalId = move?.person.externalId ?? '';
      if (move) outcomes.set(move, getOutcome('skipped', { externalId, reason: REASONS[reason] ?? 'other' }));
    }
    return outcomes;
  }

  async #fill(workspace: WorkspaceScope, move: Fill, filled: FilledLead[]): Promise<SyncOutcome> {
    const { lead, email, values } = move;
    if (values.length === 0) return filledOf(move, false, move.refused);
    const done = await this.filling.fill(workspace, { _id: lead._id, email }, values, { overwrite: true });
    if (!done) return getOutcome('skipped', { externalId: move.person.externalId, reason: 'gone' });
    filled.push(done);
    const refused = done.values.find(({ outcome }) => outcome === 'refused')?.name ?? move.refused;
    return filledOf(
      move,
      done.values.some(({ outcome }) => outcome === 'filled'),
      refused,
    );
  }
}

/** Of a dry run: what would be done, as far as the rules for leads let it be. Pure. */
export function previewPull(move: PullMove): SyncOutcome {
  if (move.do === 'insert') return createdOf(move, null);
  if (move.do === 'fill') return filledOf(move, move.values.length > 0, move.refused);
  return move.outcome;
}

function createdOf({ email, person, values, refused }: Insert, leadId: Types.ObjectId | null): SyncOutcome {
  const { externalId } = person;
  return getOutcome('created', { email, externalId, leadId, ...refusal(refused), changes: changesOf(values) });
}

function filledOf({ email, person, lead, values, conflicts }: Fill, isChanged: boolean, refused: string): SyncOutcome {
  const about = { email, externalId: person.externalId, leadId: lead._id, changes: changesOf(values) };
  const [field] = conflicts;
  if (field !== undefined) {
    const message = `Both sides changed it since the last sync: ${conflicts.join(', ')}`;
    return getOutcome('conflict', { ...about, reason: 'both_changed', message, field });
  }
  return getOutcome(isChanged ? 'updated' : 'unchanged', { ...about, ...refusal(refused) });
}

function refusal(field: string): Partial<SyncOutcome> {
  return field === '' ? {} : { reason: 'value_refused', message: 'A lead cannot have this value', field };
}

function changesOf(values: Insert['values']): Record<string, string> | null {
  return values.length === 0 ? null : Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

function rowOf({ email, values }: Insert): NewLead {
  const person = values.filter(({ name }) => FIELDS.has(name));
  const others = values.filter(({ name }) => !FIELDS.has(name));
  return {
    email,
    ...Object.fromEntries(person.map(({ name, value }) => [name, value])),
    variables: Object.fromEntries(others.map(({ name, value }) => [name, value])),
  };
}
