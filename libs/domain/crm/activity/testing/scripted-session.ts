import { type CrmActivity, type CrmLimits, type CrmPerson, type CrmRecorded, type CrmSession } from '@adapters/crm';

type Told = Pick<CrmActivity, 'key' | 'externalId' | 'title'>;

/** A CRM with scripted answers to activities and a fixed set of people. */
export class ScriptedSession implements Pick<CrmSession, 'find' | 'record'> {
  readonly requests = 0;
  readonly cooldownUntil = null;
  readonly limits: CrmLimits = { page: 100, find: 2, read: 100, write: 100, record: 3, requestsFor: () => 1 };
  readonly told: Told[] = [];
  /** The content of each batch. */
  readonly batches: number[] = [];
  readonly people: CrmPerson[] = [];
  /** The next results; a thrown one may or may not have written something. */
  readonly answers: ((activities: readonly CrmActivity[]) => readonly CrmRecorded[] | Error)[] = [];

  find(emails: readonly string[]): Promise<readonly CrmPerson[]> {
    if (emails.length > this.limits.find) throw new Error('More addresses than one request takes');
    return Promise.resolve(this.people.filter((person) => person.emails.some((email) => emails.includes(email))));
  }

  record(activities: readonly CrmActivity[]): Promise<readonly CrmRecorded[]> {
    if (activities.length > this.limits.record) throw new Error('More activities than one request takes');
    this.batches.push(activities.length);
    const answer = (this.answers.shift() ?? recorded)(activities);
    if (answer instanceof Error) return Promise.reject(answer);
    this.told.push(...activities.map(({ key, externalId, title }) => ({ key, externalId, title })));
    return Promise.resolve(answer);
  }

  person(externalId: string, email: string, updatedAt = new Date(0)): void {
    const fields = { fields: {}, ownerId: null, isOptedOut: null, createdAt: null };
    this.people.push({ externalId, emails: [email], updatedAt, ...fields });
  }
}

function recorded(activities: readonly CrmActivity[]): readonly CrmRecorded[] {
  return activities.map(({ key }) => ({ key, kind: 'recorded', activityId: `activity-${key}` }));
}
