import { type CrmPage, type CrmPerson } from '@adapters/crm';
import { systemScope, type WorkspaceScope } from '@domain/access';
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
import { type CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { toCrmFilter, parsePullFilter } from '../jobs/sync-filters';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler';
import { type CrmAccountKey, CrmLinkRepository, type LinkChange } from '../links/crm-link.repository';
import { CrmPeopleService } from '../people/crm-people.service';
import { getAccountKey } from './account-key';
import {
  listPersonAddresses,
  getKnownAddress,
  type PullKnown,
  type PullMove,
  decidePullMove,
  OPTED_OUT,
} from './pull-plan';
import { listFields, withoutDropped } from './rule-values';
import { type SyncOutcome, createOutcome, type SyncReason } from './sync-outcome';
import { type SyncPlace, CrmSyncJobRepository } from './crm-sync-job.repository';

/** People per transaction: short enough not to block others. */
const WRITE_BATCH = 100;

/** Addresses suppressed per batch. */
const SUPPRESSION_BATCH = 1_000;

type Insert = Extract<PullMove, { do: 'insert' }>;

type Fill = Extract<PullMove, { do: 'fill' }>;

/** The result of a transaction, for the follow-ups after it. */
export interface PulledLeads {
  /** One per move, in order. */
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

/** Pulls one page of the CRM's people and adds them to the leads. */
@Injectable()
export class CrmPullService {
  constructor(
    private readonly links: CrmLinkRepository,
    private readonly people: CrmPeopleService,
    private readonly jobs: CrmSyncJobRepository,
    private readonly transactions: TransactionService,
    private readonly insertion: LeadInsertionService,
    private readonly filling: LeadEnrichmentService,
    private readonly campaigns: CampaignRepository,
    private readonly suppressions: SuppressionsService,
  ) {}

  /** @throws CrmError, CrmLeaseLostError, SyncSupersededError, and errors of LeadInsertionService */
  async step(context: CrmWorkContext, job: CrmSyncJobRecord): Promise<void> {
    const page = await this.#read(context, job);
    const done = new Set(job.batchDone);
    // A person that changes during the paging may appear twice.
    const people = [...new Map(page.people.map((person) => [person.externalId, person])).values()];
    const left = people.filter(({ externalId }) => !done.has(externalId));
    const totalRecords = Math.max(page.total ?? 0, job.processedRecords + left.length);
    if (!job.dryRun) await this.#recordOptOuts(context, job, left);
    let current = job;
    for (let at = 0; at < Math.max(left.length, 1); at += WRITE_BATCH) {
      const some = left.slice(at, at + WRITE_BATCH);
      for (const { externalId } of some) done.add(externalId);
      const isLast = at + WRITE_BATCH >= left.length;
      const place = isLast
        ? { cursor: page.cursor, batchDone: [], walked: page.cursor === null, totalRecords }
        : { batchDone: [...done], totalRecords };
      current = await this.#write(context, current, some, place);
    }
  }

  #read(context: CrmWorkContext, { filter, since, cursor, droppedFields }: CrmSyncJobRecord): Promise<CrmPage> {
    const { session, mapping } = context.crm;
    const fields = listFields(withoutDropped(mapping, droppedFields), 'pull');
    return session.pull({ filter: toCrmFilter(parsePullFilter(filter), since), fields, cursor }, context.signal);
  }

  /** Opt-outs are recorded before any result: they count even when a limit stops the batch. */
  async #recordOptOuts(context: CrmWorkContext, job: CrmSyncJobRecord, people: readonly CrmPerson[]): Promise<void> {
    const addresses = people.filter(({ isOptedOut }) => isOptedOut === true).flatMap(listPersonAddresses);
    if (addresses.length === 0) return;
    await this.#suppressOptOuts(systemScope(context.workspaceId), addresses, () =>
      this.jobs.requireCurrent(context, job),
    );
  }

  async #write(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    people: readonly CrmPerson[],
    place: SyncPlace,
  ): Promise<CrmSyncJobRecord> {
    const key = getAccountKey(context);
    const workspace = systemScope(context.workspaceId);
    const mergedAway = job.dryRun ? [] : await this.#findMergedAway(context, key, people);
    const { after, pulled } = await this.transactions.run(async () => {
      await this.links.remove(key, mergedAway);
      const moves = await this.#decideMoves(context, job, people);
      const pulled = job.dryRun ? null : await this.#apply(workspace, requireCampaignId(job), moves);
      const outcomes = pulled?.outcomes ?? moves.map(previewPull);
      if (pulled) await this.#link(key, moves, outcomes);
      return { after: await this.jobs.writeProgress(context, job, outcomes, place), pulled };
    });
    if (pulled) await this.#scheduleFollowUps(workspace, requireCampaignId(job), pulled);
    return after;
  }

  async #decideMoves(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    people: readonly CrmPerson[],
  ): Promise<PullMove[]> {
    const known = await this.#readKnown(context, people);
    const mapping = withoutDropped(context.crm.mapping, job.droppedFields);
    const taken = new Set<string>();
    return people.map((person) => {
      const move = decidePullMove(person, known, taken, {
        campaignId: requireCampaignId(job),
        mapping,
        isFull: job.full,
      });
      if (move.do === 'insert' || move.do === 'fill') taken.add(move.email);
      return move;
    });
  }

  async #readKnown(context: CrmWorkContext, people: readonly CrmPerson[]): Promise<PullKnown> {
    const key = getAccountKey(context);
    const emails = [...new Set(people.flatMap(listPersonAddresses))];
    const links = await this.links.findByExternalIds(
      key,
      people.map(({ externalId }) => externalId),
    );
    const linksByEmail = await this.links.findByEmails(key, emails);
    return { links, linksByEmail, people: await this.people.findByEmails(context.workspaceId, emails) };
  }

  /** Addresses whose person was merged into another one. The CRM is asked only when two people claim an address. */
  async #findMergedAway(context: CrmWorkContext, key: CrmAccountKey, people: readonly CrmPerson[]): Promise<string[]> {
    const ids = new Set(people.map(({ externalId }) => externalId));
    const byId = await this.links.findByExternalIds(key, [...ids]);
    const emails = people.flatMap((person) => getKnownAddress(person, byId.get(person.externalId)) ?? []);
    const linked = [...(await this.links.findByEmails(key, emails)).values()];
    const claimed = linked.filter(({ externalId }) => externalId !== '' && !ids.has(externalId));
    const { session } = context.crm;
    const mergedAway: string[] = [];
    for (let at = 0; at < claimed.length; at += session.limits.read) {
      const some = claimed.slice(at, at + session.limits.read);
      const found = await session.read(
        some.map(({ externalId }) => externalId),
        [],
        context.signal,
      );
      const there = new Set(found.map(({ externalId }) => externalId));
      mergedAway.push(...some.filter(({ externalId }) => !there.has(externalId)).map(({ email }) => email));
    }
    return mergedAway;
  }

  /** Links the people that are leads now; a changed address replaces the previous link. */
  async #link(key: CrmAccountKey, moves: readonly PullMove[], outcomes: readonly SyncOutcome[]): Promise<void> {
    const changes = moves.flatMap((move, at): LinkChange[] => {
      if (move.do !== 'insert' && move.do !== 'fill') return [];
      if (outcomes[at]?.result === 'skipped') return [];
      const { email, person, snapshot } = move;
      const { externalId, updatedAt } = person;
      return [{ email, externalId, snapshot: JSON.stringify(snapshot), remoteUpdatedAt: updatedAt }];
    });
    const former = await this.links.findByExternalIds(
      key,
      changes.map(({ externalId }) => externalId),
    );
    const changed = changes.flatMap(({ externalId, email }) => {
      const before = former.get(externalId);
      return before && before.email !== email ? [before.email] : [];
    });
    await this.links.remove(key, changed);
    await this.links.save(key, changes);
  }

  /**
   * Suppresses the addresses that are not suppressed yet, in transactions with `require`, and stops their sending.
   * Not inside a transaction.
   * @param require throws when nothing may be written
   */
  async #suppressOptOuts(
    workspace: WorkspaceScope,
    addresses: readonly string[],
    require: () => Promise<void>,
  ): Promise<void> {
    const listed = await this.suppressions.matching(workspace.workspaceId, addresses);
    const fresh = [...new Set(addresses)].filter((address) => !listed.has(address));
    for (let at = 0; at < fresh.length; at += SUPPRESSION_BATCH) {
      const values = { addresses: fresh.slice(at, at + SUPPRESSION_BATCH), reason: OPTED_OUT };
      await this.transactions.run(async () => {
        await require();
        await this.suppressions.record(workspace, values, { source: 'crm' });
      });
      await this.suppressions.add(workspace, values, { source: 'crm' });
    }
  }

  /** Call it in a transaction and `#scheduleFollowUps` after it. @throws NOT_FOUND, CONFLICT, LIMIT_EXCEEDED: nothing is written then */
  async #apply(
    workspace: WorkspaceScope,
    campaignId: Types.ObjectId,
    moves: readonly PullMove[],
  ): Promise<PulledLeads> {
    const inserted = await this.#insert(
      workspace,
      campaignId,
      moves.filter((move) => move.do === 'insert'),
    );
    const outcomes: SyncOutcome[] = [];
    const filled: FilledLead[] = [];
    for (const move of moves) {
      if (move.do === 'insert') outcomes.push(inserted.get(move) ?? createOutcome('skipped', { reason: 'other' }));
      else if (move.do === 'fill') outcomes.push(await this.#fill(workspace, move, filled));
      else outcomes.push(move.outcome);
    }
    const hasNew = [...inserted.values()].some(({ result }) => result === 'created');
    return { outcomes, hasNew, filled };
  }

  /** Schedules the sending of new and changed leads, after the transaction of `#apply`. */
  async #scheduleFollowUps(workspace: WorkspaceScope, campaignId: Types.ObjectId, pulled: PulledLeads): Promise<void> {
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
    const rows = moves.map(toNewLead);
    const done = await this.insertion.insert(workspace, campaignId.toHexString(), rows);
    for (const { index, _id } of done.leads) {
      const move = moves[index];
      if (move) outcomes.set(move, toCreatedOutcome(move, _id));
    }
    for (const { index, reason } of [...done.duplicates, ...done.suppressed, ...done.invalid]) {
      const move = moves[index];
      const externalId = move?.person.externalId ?? '';
      if (move) outcomes.set(move, createOutcome('skipped', { externalId, reason: REASONS[reason] ?? 'other' }));
    }
    return outcomes;
  }

  async #fill(workspace: WorkspaceScope, move: Fill, filled: FilledLead[]): Promise<SyncOutcome> {
    const { lead, email, values } = move;
    if (values.length === 0) return toFilledOutcome(move, false, move.refused);
    const done = await this.filling.fill(workspace, { _id: lead._id, email }, values, { overwrite: true });
    if (!done) return createOutcome('skipped', { externalId: move.person.externalId, reason: 'gone' });
    filled.push(done);
    const refused = done.values.find(({ outcome }) => outcome === 'refused')?.name ?? move.refused;
    return toFilledOutcome(
      move,
      done.values.some(({ outcome }) => outcome === 'filled'),
      refused,
    );
  }
}

/** The campaign of new people, which each pull has. */
function requireCampaignId({ campaignId }: CrmSyncJobRecord): Types.ObjectId {
  if (!campaignId) throw new Error('A pull without a campaign');
  return campaignId;
}

/** Returns the expected outcome of a dry run. Pure. */
function previewPull(move: PullMove): SyncOutcome {
  if (move.do === 'insert') return toCreatedOutcome(move, null);
  if (move.do === 'fill') return toFilledOutcome(move, move.values.length > 0, move.refused);
  return move.outcome;
}

function toCreatedOutcome({ email, person, values, refused }: Insert, leadId: Types.ObjectId | null): SyncOutcome {
  const { externalId } = person;
  return createOutcome('created', {
    email,
    externalId,
    leadId,
    ...toRefusedField(refused),
    changes: toChanges(values),
  });
}

function toFilledOutcome(
  { email, person, lead, values, conflicts }: Fill,
  isChanged: boolean,
  refused: string,
): SyncOutcome {
  const about = { email, externalId: person.externalId, leadId: lead._id, changes: toChanges(values) };
  const [field] = conflicts;
  if (field !== undefined) {
    const message = `Both sides changed it since the last sync: ${conflicts.join(', ')}`;
    return createOutcome('conflict', { ...about, reason: 'both_changed', message, field });
  }
  return createOutcome(isChanged ? 'updated' : 'unchanged', { ...about, ...toRefusedField(refused) });
}

function toRefusedField(field: string): Partial<SyncOutcome> {
  return field === '' ? {} : { reason: 'value_refused', message: 'A lead cannot have this value', field };
}

function toChanges(values: Insert['values']): Record<string, string> | null {
  return values.length === 0 ? null : Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

function toNewLead({ email, values }: Insert): NewLead {
  const person = values.filter(({ name }) => FIELDS.has(name));
  const others = values.filter(({ name }) => !FIELDS.has(name));
  return {
    email,
    ...Object.fromEntries(person.map(({ name, value }) => [name, value])),
    variables: Object.fromEntries(others.map(({ name, value }) => [name, value])),
  };
}
