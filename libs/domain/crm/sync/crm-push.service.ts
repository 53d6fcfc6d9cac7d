import { CrmError, type CrmPerson, type CrmWritten } from '@adapters/crm';
import { Injectable } from '@nestjs/common';
import { ClockPort } from '@platform/clock';
import { TransactionService } from '@platform/database';
import { comparableEmailAddress } from '@platform/validation';
import { type CrmSyncJobRecord } from '../jobs/schemas/crm-sync-job.record';
import { CrmLeaseLostError } from '../work-partitions/crm-lease-lost.errors';
import { type CrmWorkContext } from '../work-partitions/crm-work-handler';
import { CrmLinkRepository, type LinkChange } from '../links/crm-link.repository';
import { getAccountKey } from './account-key';
import { type PushBatch, CrmPushBatchService } from './crm-push-batch.service';
import { type PushMove, decidePushMove, type PushRules, type PushSubject } from './push-plan';
import { listFields, withoutDropped } from './rule-values';
import { type SyncPlace, CrmSyncJobRepository } from './crm-sync-job.repository';
import { createOutcome, type SyncOutcome } from './sync-outcome';
import { type WrittenMove, toWrittenMove } from './written-plan';

type SettledMove = Extract<PushMove, { do: 'report' }>;

/** How long after an unanswered write the CRM shows its outcome: its search may lag. */
const SETTLED_MS = 120_000;

export type PushWrite = Extract<PushMove, { do: 'write' }>;

type Answered = { readonly write: PushWrite; readonly move: WrittenMove };

/** Pushes the next people to the CRM. */
@Injectable()
export class CrmPushService {
  constructor(
    private readonly batches: CrmPushBatchService,
    private readonly links: CrmLinkRepository,
    private readonly jobs: CrmSyncJobRepository,
    private readonly transactions: TransactionService,
    private readonly clock: ClockPort,
  ) {}

  /** @throws CrmError, CrmLeaseLostError, SyncSupersededError, NOT_FOUND for a deleted campaign */
  async step(context: CrmWorkContext, job: CrmSyncJobRecord): Promise<void> {
    const { mapping, ownerPolicy, ownerId } = context.crm;
    const rules: PushRules = {
      mapping: withoutDropped(mapping, job.droppedFields),
      isFull: job.full,
      ownerId: ownerPolicy === 'set' ? ownerId : null,
    };
    const batch = job.walked ? await this.batches.waiting(context, job) : await this.batches.next(context, job, rules);
    const moves = await this.#decide(context, batch.requested, rules);
    if (job.dryRun) {
      const outcomes = [...batch.settled, ...moves.map(({ outcome }) => outcome)];
      await this.transactions.run(() => this.jobs.writeProgress(context, job, outcomes, batch.place));
      return;
    }
    await this.#carryOut(context, job, batch, moves);
  }

  /** Records completed people in chunks, so that a retry after a crash skips them. */
  async #carryOut(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    batch: PushBatch,
    moves: readonly PushMove[],
  ): Promise<void> {
    const settled = moves.filter((move) => move.do === 'report');
    const writes = moves.filter((move) => move.do === 'write');
    const done = [...job.batchDone, ...batch.settled.map(({ email }) => email), ...listEmails(settled)];
    let current = await this.#recordSettled(
      context,
      job,
      batch,
      settled,
      writes.length === 0 ? batch.place : getIntermediatePlace(job, batch, done),
    );
    const size = context.crm.session.limits.write;
    for (let at = 0; at < writes.length; at += size) {
      const some = writes.slice(at, at + size);
      done.push(...listEmails(some));
      const isLast = at + size >= writes.length;
      current = await this.#write(
        context,
        current,
        some,
        isLast ? batch.place : getIntermediatePlace(job, batch, done),
      );
    }
  }

  async #recordSettled(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    batch: PushBatch,
    settled: readonly SettledMove[],
    place: SyncPlace,
  ): Promise<CrmSyncJobRecord> {
    const key = getAccountKey(context);
    const links = settled.flatMap(({ subject: { email }, link }): LinkChange[] => {
      return link ? [{ email, ...link, snapshot: JSON.stringify(link.snapshot) }] : [];
    });
    const unlinked = listEmails(settled.filter(({ link, subject }) => !link && subject.link?.waitingFor !== undefined));
    const outcomes = [...batch.settled, ...settled.map(({ outcome }) => outcome)];
    return this.transactions.run(async () => {
      await this.links.remove(key, batch.deletedEmails);
      await this.links.unmark(key, unlinked);
      await this.links.save(key, links);
      await this.links.mark(
        key,
        job._id,
        batch.later.map(({ email, link }) => ({ email, externalId: link?.externalId ?? null })),
        this.clock.in(SETTLED_MS),
      );
      return this.jobs.writeProgress(context, job, outcomes, place, () => this.#isDone(context, job));
    });
  }

  async #write(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    writes: readonly PushWrite[],
    place: SyncPlace,
  ): Promise<CrmSyncJobRecord> {
    const key = getAccountKey(context);
    const marked = writes.map(({ write }) => write);
    // Stored before the request: a retry after a crash then searches first and creates no duplicate.
    await this.transactions.run(async () => {
      await this.jobs.requireCurrent(context, job);
      await this.links.mark(key, job._id, marked, this.clock.in(SETTLED_MS));
    });
    if (!(await context.renewLease())) throw new CrmLeaseLostError();
    const results = await this.#send(context, job, writes);
    return this.transactions.run(async () => {
      const { outcomes, dropped } = await this.#saveResults(context, job, writes, results);
      const droppedFields = [...new Set([...job.droppedFields, ...dropped])];
      return this.jobs.writeProgress(context, job, outcomes, { ...place, droppedFields }, () =>
        this.#isDone(context, job),
      );
    });
  }

  async #send(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    writes: readonly PushWrite[],
  ): Promise<readonly CrmWritten[]> {
    try {
      return await context.crm.session.write(
        writes.map(({ write }) => write),
        context.signal,
      );
    } catch (error) {
      // A CrmError means that nothing was written. After other errors the marks stay, and the job returns to them.
      if (error instanceof CrmError) {
        await this.transactions.run(async () => {
          await context.requireLease();
          // In the second pass only the marks identify people: they stay and are due again.
          if (job.walked) await this.links.revert(getAccountKey(context), job._id, listEmails(writes));
          else await this.links.unmark(getAccountKey(context), listEmails(writes));
        });
      }
      throw error;
    }
  }

  async #decide(context: CrmWorkContext, subjects: readonly PushSubject[], rules: PushRules): Promise<PushMove[]> {
    const fields = listFields(rules.mapping, 'push');
    const ids = subjects.flatMap(({ link }) => (link && link.externalId !== '' ? [link.externalId] : []));
    const read = new Map((await this.#read(context, ids, fields)).map((person) => [person.externalId, person]));
    const unknown = subjects.filter(({ link }) => !link || !read.has(link.externalId)).map(({ email }) => email);
    const found = await this.#find(context, unknown, fields);
    const foundIds = [...found.values()].flat().map(({ externalId }) => externalId);
    const links = await this.links.findByExternalIds(getAccountKey(context), foundIds);
    const linked = new Map([...links].map(([externalId, { email }]) => [externalId, email]));
    return subjects.map((subject) => {
      const move = decidePushMove(subject, { read, found, linked }, rules);
      const externalId = move.do === 'write' ? move.write.externalId : (move.link?.externalId ?? null);
      // A later address of the same person is not linked.
      if (externalId !== null) linked.set(externalId, subject.email);
      return move;
    });
  }

  async #read(context: CrmWorkContext, ids: readonly string[], fields: readonly string[]): Promise<CrmPerson[]> {
    const { session } = context.crm;
    const people: CrmPerson[] = [];
    for (let at = 0; at < ids.length; at += session.limits.read) {
      people.push(...(await session.read(ids.slice(at, at + session.limits.read), fields, context.signal)));
    }
    return people;
  }

  async #find(
    context: CrmWorkContext,
    emails: readonly string[],
    fields: readonly string[],
  ): Promise<Map<string, CrmPerson[]>> {
    const { session } = context.crm;
    const found = new Map<string, Map<string, CrmPerson>>();
    for (let at = 0; at < emails.length; at += session.limits.find) {
      const people = await session.find(emails.slice(at, at + session.limits.find), fields, context.signal);
      for (const person of people) {
        for (const email of person.emails.map(comparableEmailAddress)) {
          const same = found.get(email) ?? new Map<string, CrmPerson>();
          found.set(email, same.set(person.externalId, person));
        }
      }
    }
    return new Map([...found].map(([email, people]) => [email, [...people.values()]]));
  }

  async #isDone({ workspaceId }: CrmWorkContext, { _id }: CrmSyncJobRecord): Promise<boolean> {
    return (await this.links.waitingUntil(workspaceId, _id)) === null;
  }

  /** Call it in a transaction. @returns the final outcomes, and the fields that no longer exist */
  async #saveResults(
    context: CrmWorkContext,
    job: CrmSyncJobRecord,
    writes: readonly PushWrite[],
    results: readonly CrmWritten[],
  ): Promise<{ outcomes: SyncOutcome[]; dropped: string[] }> {
    const byKey = new Map(results.map((result) => [result.key, result]));
    const answered = writes.map((write): Answered => {
      const { key } = write.write;
      const unheard = { key, kind: 'ambiguous', message: 'The CRM returned no result' } as const;
      return { write, move: toWrittenMove(write, byKey.get(key) ?? unheard) };
    });
    const moves = await this.#rejectTaken(context, answered);
    await this.#link(context, moves);
    await this.#scheduleRetries(context, job, moves);
    return {
      outcomes: moves.flatMap(({ move }) => (move.do === 'again' ? [] : [move.outcome])),
      dropped: moves.flatMap(({ move }) => (move.do === 'again' && move.dropped !== null ? [move.dropped] : [])),
    };
  }

  async #link(context: CrmWorkContext, moves: readonly Answered[]): Promise<void> {
    const key = getAccountKey(context);
    const addresses = moves.filter(({ move }) => move.do === 'report').map(({ write }) => write.subject.email);
    await this.links.unmark(key, addresses);
    const changes = moves.flatMap(({ write, move }): LinkChange[] => {
      if (move.do !== 'link') return [];
      const { externalId, updatedAt } = move;
      const { email } = write.subject;
      return [{ email, externalId, snapshot: JSON.stringify(write.snapshot), remoteUpdatedAt: updatedAt }];
    });
    await this.links.save(key, changes);
  }

  async #scheduleRetries(context: CrmWorkContext, job: CrmSyncJobRecord, moves: readonly Answered[]): Promise<void> {
    const key = getAccountKey(context);
    for (const { write, move } of moves) {
      if (move.do !== 'again' || move.relink === null) continue;
      await this.links.relink(key, write.subject.email, move.relink);
    }
    const emails = (when: 'now' | 'settled') =>
      moves.flatMap(({ write, move }) => (move.do === 'again' && move.when === when ? [write.subject.email] : []));
    await this.links.postpone(key, job._id, emails('now'), this.clock.now());
    await this.links.postpone(key, job._id, emails('settled'), this.clock.in(SETTLED_MS));
  }

  /** A CRM person is linked with one address: a second address is a conflict. */
  async #rejectTaken(context: CrmWorkContext, answered: readonly Answered[]): Promise<Answered[]> {
    const ids = answered.flatMap(({ move }) => getLinkedId(move) ?? []);
    const owners = new Map(
      [...(await this.links.findByExternalIds(getAccountKey(context), ids))].map(([externalId, { email }]) => [
        externalId,
        email,
      ]),
    );
    return answered.map((one) => {
      const { email, leadId } = one.write.subject;
      const externalId = getLinkedId(one.move);
      if (externalId === null) return one;
      const owner = owners.get(externalId) ?? email;
      owners.set(externalId, owner);
      if (owner === email) return one;
      const message = 'The person of the CRM who has this address is linked with another one';
      const about = { email, leadId, externalId, reason: 'linked_to_other_address' as const, message };
      return { ...one, move: { do: 'report', outcome: createOutcome('conflict', about) } };
    });
  }
}

/** The position inside an unfinished batch. */
function getIntermediatePlace({ walked }: CrmSyncJobRecord, { place }: PushBatch, done: readonly string[]): SyncPlace {
  if (walked) return {};
  const { totalRecords } = place;
  return { batchDone: [...done], ...(totalRecords !== undefined && { totalRecords }) };
}

function listEmails(moves: readonly { readonly subject: PushSubject }[]): string[] {
  return moves.map(({ subject }) => subject.email);
}

/** The person to link with the address. */
function getLinkedId(move: WrittenMove): string | null {
  if (move.do === 'link') return move.externalId;
  return move.do === 'again' && move.relink !== null && move.relink !== '' ? move.relink : null;
}
