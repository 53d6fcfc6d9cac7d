import { WorkspaceLimitsService } from '@domain/identity';
import { SuppressionsService } from '@domain/suppressions';
import { limitExceeded } from '@platform/errors';
import { Types } from 'mongoose';
import { MAX_LEADS, MAX_OPEN_JOBS } from '../jobs/crm-sync-jobs.service';
import { MAPPING, rule } from '../testing/sync-mapping';
import { CrmSyncFixture } from '../testing/crm-sync-fixture';
import { type SyncScenario } from '../testing/sync-scenario';

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';

describe('results of people in a sync', () => {
  let fixture: CrmSyncFixture;
  let scenario: SyncScenario;

  beforeAll(async () => {
    fixture = await CrmSyncFixture.open();
  });
  afterAll(() => fixture.close());
  beforeEach(async () => {
    scenario = await fixture.fresh();
  });
  afterEach(async () => {
    expect(await scenario.violations()).toEqual([]);
  });

  const add = (email: string, fields: Record<string, string> = {}, others: object = {}) =>
    scenario.crm.store.add({ emails: [email], fields, ...others });
  const pulled = async (others: object = {}) => {
    const { id } = await scenario.done({ jobType: 'pull', ...others });
    return scenario.results(id);
  };
  const pushed = async (others: object = {}) => {
    const { id } = await scenario.done({ jobType: 'push', ...others });
    return scenario.results(id);
  };
  const lead = async (email = ADA) => (await scenario.leads()).find((one) => one.email === email);
  const there = (email = ADA) => scenario.crm.store.withEmail(email)[0];
  const change = (email: string, fields: Record<string, string>) => {
    const id = there(email)?.id ?? '';
    scenario.crm.store.change(id, { fields });
  };

  describe('of a pull', () => {
    it('reports skipped people with the reason', async () => {
      scenario.crm.store.add({ emails: [] });
      add('nobody at all');
      add(ADA);
      add('sup@example.com');
      await fixture
        .get(SuppressionsService)
        .add(scenario.workspace, { addresses: ['sup@example.com'] }, { source: 'manual' });
      expect(await pulled()).toEqual([
        'f000000001 skipped no_address',
        'f000000002 skipped invalid_address',
        `${ADA} created`,
        // A suppressed person becomes no lead, and the address is not stored.
        'f000000004 skipped suppressed',
      ]);
      expect((await scenario.links()).map(({ email }) => email)).toEqual([ADA]);
    });

    it('suppresses opted-out people, even those who are no leads', async () => {
      await scenario.add({ email: ADA });
      add(ADA, {}, { isOptedOut: true });
      add(BOB, {}, { isOptedOut: true });
      expect(await pulled()).toEqual([`${ADA} skipped opted_out`, 'f000000002 skipped opted_out']);
      expect(await fixture.get(SuppressionsService).matching(scenario.workspace.workspaceId, [ADA, BOB])).toEqual(
        new Set([ADA, BOB]),
      );
      expect(await lead()).toMatchObject({ status: 'completed', stopReason: 'suppressed' });
    });

    it('suppresses opted-out people even when the sync of the others fails', async () => {
      await scenario.add({ email: ADA });
      add(BOB);
      add(ADA, {}, { isOptedOut: true });
      const full = jest
        .spyOn(fixture.get(WorkspaceLimitsService), 'ensureRoom')
        .mockRejectedValue(limitExceeded('maxLeads is reached'));
      const job = await scenario.done({ jobType: 'pull' });
      full.mockRestore();
      expect(job).toMatchObject({ status: 'failed', processedRecords: 0 });
      expect(await fixture.get(SuppressionsService).matching(scenario.workspace.workspaceId, [ADA, BOB])).toEqual(
        new Set([ADA]),
      );
      expect(await lead()).toMatchObject({ status: 'completed', stopReason: 'suppressed' });
    });

    it('only reports opted-out people in a dry run', async () => {
      add(ADA, {}, { isOptedOut: true });
      expect(await pulled({ dryRun: true })).toEqual(['f000000001 skipped opted_out']);
      expect(await fixture.get(SuppressionsService).matching(scenario.workspace.workspaceId, [ADA])).toEqual(new Set());
    });

    it('creates one lead for two people with one address', async () => {
      add(ADA, { first: 'Ada' });
      add(ADA, { first: 'Another' });
      expect(await pulled()).toEqual([`${ADA} created`, 'f000000002 conflict duplicate_in_crm']);
      expect(await lead()).toMatchObject({ firstName: 'Ada' });
      // After a merge in the CRM, the remaining person is linked.
      scenario.crm.store.remove('f000000001');
      expect(await pulled({ full: true })).toEqual([`${ADA} updated`]);
      expect((await scenario.links()).map(({ externalId }) => externalId)).toEqual(['f000000002']);
    });

    it('does not restore a removed lead', async () => {
      await scenario.add({ email: ADA });
      await scenario.change(ADA, { status: 'removed', sentCount: 1 });
      add(ADA);
      expect(await pulled()).toEqual(['f000000001 skipped removed_from_campaign']);
    });

    it('overwrites fields as the rule allows, and never fields that both sides changed', async () => {
      await scenario.add({ email: ADA, lastName: 'Lovelace' });
      add(ADA, { first: 'Ada', town: 'London' });
      expect(await pulled({ full: true })).toEqual([`${ADA} updated`]);
      expect(await lead()).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', city: 'London' });
      await scenario.change(ADA, { firstName: 'Augusta', city: 'Ockham' });
      change(ADA, { first: 'A.', town: 'Paris' });
      expect(await pulled({ full: true })).toEqual([`${ADA} conflict both_changed`]);
      expect(await lead()).toMatchObject({ firstName: 'Augusta', city: 'Paris' });
      expect(await pushed()).toEqual([`${ADA} conflict both_changed`]);
      expect(there()?.fields).toMatchObject({ first: 'A.', last: 'Lovelace' });
      // The conflict ends as soon as both sides agree.
      change(ADA, { first: 'Augusta' });
      expect(await pulled({ full: true })).toEqual([`${ADA} unchanged`]);
      await scenario.change(ADA, { firstName: 'Ada' });
      expect(await pushed()).toEqual([`${ADA} updated`]);
      expect(there()?.fields).toMatchObject({ first: 'Ada' });
    });

    it('requests only people changed since the last sync, unless the rules changed', async () => {
      add(ADA);
      fixture.clock.advance(60_000);
      await pulled();
      const first = await scenario.done({ jobType: 'pull' });
      expect(first.since).not.toBeNull();
      expect((await scenario.done({ jobType: 'pull', filter: { ownerId: 'x' } })).since).toBeNull();
      expect((await scenario.done({ jobType: 'pull', full: true })).since).toBeNull();
    });

    it('fails as a whole when the workspace reaches its limit of leads', async () => {
      add(ADA);
      const full = jest
        .spyOn(fixture.get(WorkspaceLimitsService), 'ensureRoom')
        .mockRejectedValue(limitExceeded('maxLeads is reached'));
      const job = await scenario.done({ jobType: 'pull' });
      full.mockRestore();
      expect(job).toMatchObject({
        status: 'failed',
        processedRecords: 0,
        lastError: { code: 'LIMIT_EXCEEDED', message: 'maxLeads is reached' },
        errors: [{ email: '', externalId: '', code: 'LIMIT_EXCEEDED', message: 'maxLeads is reached' }],
        errorsCount: 1,
      });
      expect(await scenario.leads()).toEqual([]);
    });
  });

  describe('of a push', () => {
    it('links existing people and creates missing ones', async () => {
      await scenario.add({ email: ADA, firstName: 'Ada' }, { email: BOB, firstName: 'Bob' });
      add(ADA, { company: 'Acme' }, { ownerId: 'o1' });
      expect(await pushed()).toEqual([`${ADA} updated`, `${BOB} created`]);
      expect(there()).toMatchObject({ fields: { first: 'Ada', company: 'Acme', stage: 'new' }, ownerId: 'o1' });
      expect(there(BOB)).toMatchObject({ fields: { first: 'Bob' }, ownerId: null });
    });

    it('sets the owner of new people on request, and changes no existing owner', async () => {
      await scenario.connections.open(scenario.workspace.workspaceId, 'hubspot');
      await fixture
        .model({ name: 'CrmConnectionRecord' })
        .updateMany({ workspaceId: scenario.workspace.workspaceId }, { $set: { ownerPolicy: 'set', ownerId: 'me' } });
      await scenario.add({ email: ADA }, { email: BOB });
      add(ADA, {}, { ownerId: 'o1' });
      await pushed();
      expect([there()?.ownerId, there(BOB)?.ownerId]).toEqual(['o1', 'me']);
    });

    it('creates no suppressed person', async () => {
      await scenario.add({ email: ADA });
      await fixture.get(SuppressionsService).add(scenario.workspace, { addresses: [ADA] }, { source: 'manual' });
      expect(await pushed()).toEqual([`${ADA} skipped suppressed`]);
      expect(scenario.crm.store.size).toBe(0);
    });

    it('reports a conflict when several people have one address', async () => {
      await scenario.add({ email: ADA });
      add(ADA);
      add(ADA);
      expect(await pushed()).toEqual([`${ADA} conflict duplicate_in_crm`]);
    });

    it('links a person with one address only', async () => {
      await scenario.add({ email: ADA, firstName: 'Ada' }, { email: BOB, firstName: 'Bob' });
      scenario.crm.store.add({ emails: [ADA, BOB] });
      expect((await pushed()).toSorted()).toEqual([`${ADA} updated`, `${BOB} conflict linked_to_other_address`]);
      expect(there()?.fields).toMatchObject({ first: 'Ada' });
    });

    it('creates a deleted person again, once', async () => {
      await scenario.add({ email: ADA, firstName: 'Ada' });
      await pushed();
      scenario.crm.store.remove(there()?.id ?? '');
      await scenario.change(ADA, { firstName: 'Augusta' });
      expect(await pushed()).toEqual([`${ADA} created`]);
      expect(scenario.crm.store.size).toBe(1);
    });

    it('reports refused people and continues with the others', async () => {
      await scenario.add({ email: ADA }, { email: BOB });
      scenario.crm.refusals.set(ADA, {
        reason: 'invalid',
        message: 'stage is not one of them',
        field: 'stage',
        externalId: null,
      });
      const job = await scenario.done({ jobType: 'push' });
      expect(job).toMatchObject({
        failedRecords: 1,
        errorsCount: 1,
        errors: [{ email: ADA, externalId: '', code: 'invalid', message: 'stage is not one of them' }],
        counts: { created: 1, failed: 1 },
      });
    });
  });

  it('changes nothing in a dry run and reports its results', async () => {
    await scenario.add({ email: BOB, firstName: 'Bob' });
    add(ADA, { first: 'Ada' });
    expect(await pulled({ dryRun: true })).toEqual([`${ADA} created`]);
    expect(await pushed({ dryRun: true })).toEqual([`${BOB} created`]);
    expect((await scenario.leads()).map(({ email }) => email)).toEqual([BOB]);
    expect(scenario.crm.store.size).toBe(1);
    expect(await scenario.links()).toEqual([]);
    expect(await scenario.connection()).toMatchObject({ totalPulled: 0, totalPushed: 0, lastSyncAt: null });
    // The next sync does not continue from a dry run.
    expect((await scenario.done({ jobType: 'pull' })).since).toBeNull();
  });

  it('limits the number of open jobs', async () => {
    for (let nth = 0; nth < MAX_OPEN_JOBS - 1; nth += 1) await scenario.sync({ jobType: 'push' });
    const both = await Promise.allSettled([scenario.sync({ jobType: 'push' }), scenario.sync({ jobType: 'push' })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    await expect(scenario.sync({ jobType: 'pull' })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    await scenario.runPartition();
    await expect(scenario.sync({ jobType: 'pull' })).resolves.toMatchObject({ status: 'pending' });
  });

  it('limits the number of leads in a request', async () => {
    await scenario.add({ email: ADA }, { email: BOB });
    const leadIds = (await scenario.leads()).map(({ _id }) => _id);
    expect(await pushed({ leadIds: leadIds.slice(0, 1) })).toEqual([`${ADA} created`]);
    const tooMany = Array.from({ length: MAX_LEADS + 1 }, () => new Types.ObjectId());
    await expect(scenario.sync({ jobType: 'push', leadIds: tooMany })).rejects.toThrow('At most 1000 leads');
    // Unknown leads are skipped.
    expect(await pushed({ leadIds: [...tooMany.slice(3), ...leadIds] })).toEqual([
      `${ADA} unchanged`,
      `${BOB} created`,
    ]);
  });

  it('covers only the requested leads', async () => {
    await scenario.add({ email: ADA }, { email: BOB });
    const of = { campaignId: scenario.campaignId, leadFilter: { search: 'bob' } };
    expect(await pushed(of)).toEqual([`${BOB} created`]);
    expect((await pushed({ campaignId: scenario.campaignId })).toSorted()).toEqual([
      `${ADA} created`,
      `${BOB} unchanged`,
    ]);
  });

  it('continues without a field that the CRM no longer has', async () => {
    scenario = await fixture.fresh([...MAPPING, rule('jobTitle', 'gone_field')]);
    await scenario.add({ email: ADA, jobTitle: 'Countess' }, { email: BOB });
    scenario.crm.missingFields.add('gone_field');
    const push = await scenario.done({ jobType: 'push' });
    expect(push).toMatchObject({
      status: 'completed',
      droppedFields: ['gone_field'],
      counts: { created: 2, failed: 0 },
    });
    const pull = await scenario.done({ jobType: 'pull', full: true });
    expect(pull).toMatchObject({ status: 'completed', droppedFields: ['gone_field'], counts: { unchanged: 2 } });
    expect(await lead()).toMatchObject({ jobTitle: 'Countess' });
  });
});
