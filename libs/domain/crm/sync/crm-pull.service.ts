import { type CrmPage, type CrmPerson } from '@adapters/crm';
import { systemScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { TransactionService } from '@platform/database';
import { type Types } from 'mongoose';
import { type CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { getCrmFilter, getPullFilter } from '../jobs/sync-filters';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler.registry';
import { type CrmAccountKey, CrmLinkRepository, type LinkChange } from '../links/crm-link.repository';
import { CrmPeopleService } from '../people/crm-people.service';
import { getKey } from './account-key';
import { getAddresses, getAddress, type PullKnown, type PullMove, getPullMove } from './pull-plan';
import { previewPull, PulledPeopleService } from './pulled-people.service';
import { fieldsFor, withoutDropped } from './rule-values';
import { type SyncOutcome } from './sync-outcome';
import { type SyncPlace, SyncWritesRepository } from './sync-writes.repository';

/** People that are written in one transaction: it is over soon enough for others to get on. */
const WRITTEN_AT_ONCE = 100;

/** Brings one page of the CRM's people. */
@Injectable()
export class CrmPullService {
  constructor(
    private readonly links: CrmLinkRepository,
    private readonly people: CrmPeopleService,
    private readonly pulled: PulledPeopleService,
    private readonly writes: SyncWritesRepository,
    private readonly transactions: TransactionService,
  ) {}

  /** @throws CrmError, CrmLaneLost, SyncOutdated, and what LeadInsertion throws */
  async step(lane: CrmWorkContext, job: CrmSyncJobRecord): Promise<void> {
    const page = await this.#read(lane, job);
    const done = new Set(job.batchDone);
    // One that changes while pages are read may come twice.
    const people = [...new Map(page.people.map((person) => [person.externalId, person])).values()];
    const left = people.filter(({ externalId }) => !done.has(externalId));
    const totalRecords = Math.max(page.total ?? 0, job.processedRecords + left.length);
    if (!job.dryRun) await this.#optOut(lane, job, left);
    let current = job;
    for (let at = 0; at < Math.max(left.length, 1); at += WRITTEN_AT_ONCE) {
      const some = left.slice(at, at + WRITTEN_AT_ONCE);
      for (const { externalId } of some) done.add(externalId);
      const isLast = at + WRITTEN_AT_ONCE >= left.length;
      const place = isLast
        ? { cursor: page.cursor, batchDone: [], walked: page.cursor === null, totalRecords }
        : { batchDone: [...done], totalRecords };
      current = await this.#write(lane, current, some, place);
    }
  }

  #read(lane: CrmWorkContext, { filter, since, cursor, droppedFields }: CrmSyncJobRecord): Promise<CrmPage> {
    const { session, mapping } = lane.crm;
    const fields = fieldsFor(withoutDropped(mapping, droppedFields), 'pull');
    return session.pull({ filter: getCrmFilter(getPullFilter(filter), since), fields, cursor }, lane.signal);
  }

  /** Before any of them is told as done, and whatever becomes of the others: a limit that is met takes nobody's wish away. */
  async #optOut(lane: CrmWorkContext, job: CrmSyncJobRecord, people: readonly CrmPerson[]): Promise<void> {
    const addresses = people.filter(({ isOptedOut }) => isOptedOut === true).flatMap(getAddresses);
    if (addresses.length === 0) return;
    await this.pulled.optOut(systemScope(lane.workspaceId), addresses, () => this.writes.require(lane, job));
  }

  async #write(
    lane: CrmWorkContext,
    job: CrmSyncJobRecord,
    people: readonly CrmPerson[],
    place: SyncPlace,
  ): Promise<CrmSyncJobRecord> {
    const key = getKey(lane);
    const workspace = systemScope(lane.workspaceId);
    const gone = job.dryRun ? [] : await this.#gone(lane, key, people);
    const { after, pulled } = await this.transactions.run(async () => {
      await this.links.forget(key, gone);
      const moves = await this.#moves(lane, job, people);
      const pulled = job.dryRun ? null : await this.pulled.apply(workspace, landingOf(job), moves);
      const outcomes = pulled?.outcomes ?? moves.map(previewPull);
      if (pulled) await this.#link(key, moves, outcomes);
      return { after: await this.writes.write(lane, job, outcomes, place), pulled };
    });
    if (pulled) await this.pulled.follow(workspace, landingOf(job), pulled);
    return after;
  }

  async #moves(lane: CrmWorkContext, job: CrmSyncJobRecord, people: readonly CrmPerson[]): Promise<PullMove[]> {
    const known = await this.#known(lane, people);
    const mapping = withoutDropped(lane.crm.mapping, job.droppedFields);
    const taken = new Set<string>();
    return people.map((person) => {
      const move = getPullMove(person, known, taken, { campaignId: landingOf(job), mapping, isFull: job.full });
      if (move.do === 'insert' || move.do === 'fill') taken.add(move.email);
      return move;
    });
  }

  async #known(lane: CrmWorkContext, people: readonly CrmPerson[]): Promise<PullKnown> {
    const key = getKey(lane);
    const emails = [...new Set(people.flatMap(getAddresses))];
    const links = await this.links.ofPeople(
      key,
      people.map(({ externalId }) => externalId),
    );
    const linksByEmail = await this.links.ofEmails(key, emails);
    return { links, linksByEmail, people: await this.people.of(lane.workspaceId, emails) };
  }

  /** Addresses whose person is not there any more, as it became another one: the CRM merges people. Asked only where two claim one. */
  async #gone(lane: CrmWorkContext, key: CrmAccountKey, people: readonly CrmPerson[]): Promise<string[]> {
    const ids = new Set(people.map(({ externalId }) => externalId));
    const byId = await this.links.ofPeople(key, [...ids]);
    const emails = people.flatMap((person) => getAddress(person, byId.get(person.externalId)) ?? []);
    const linked = [...(await this.links.ofEmails(key, emails)).values()];
    const claimed = linked.filter(({ externalId }) => externalId !== '' && !ids.has(externalId));
    const { session } = lane.crm;
    const gone: string[] = [];
    for (let at = 0; at < claimed.length; at += session.limits.read) {
      const some = claimed.slice(at, at + session.limits.read);
      const found = await session.read(
        some.map(({ externalId }) => externalId),
        [],
        lane.signal,
      );
      const there = new Set(found.map(({ externalId }) => externalId));
      gone.push(...some.filter(({ externalId }) => !there.has(externalId)).map(({ email }) => email));
    }
    return gone;
  }

  /** Those who are leads now are linked; whose address is another one than before, by the new one. */
  async #link(key: CrmAccountKey, moves: readonly PullMove[], outcomes: readonly SyncOutcome[]): Promise<void> {
    const changes = moves.flatMap((move, at): LinkChange[] => {
      if (move.do !== 'insert' && move.do !== 'fill') return [];
      if (outcomes[at]?.result === 'skipped') return [];
      const { email, person, seen } = move;
      const { externalId, updatedAt } = person;
      return [{ email, externalId, seen: JSON.stringify(seen), remoteUpdatedAt: updatedAt }];
    });
    const former = await this.links.ofPeople(
      key,
      changes.map(({ externalId }) => externalId),
    );
    const moved = changes.flatMap(({ externalId, email }) => {
      const before = former.get(externalId);
      return before && before.email !== email ? [before.email] : [];
    });
    await this.links.forget(key, moved);
    await this.links.put(key, changes);
  }
}

/** Where new people land: no pull is made without it. */
function landingOf({ campaignId }: CrmSyncJobRecord): Types.ObjectId {
  if (!campaignId) throw new Error('A pull without a campaign');
  return campaignId;
}
