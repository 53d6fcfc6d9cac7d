import { type WorkspaceLimits } from '@domain/identity';
import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { activated, type Campaign, newCampaign, readCampaign, readyCampaign } from '../campaigns/campaigns';
import { expectFormA, expectFormB, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { auditedActions, dataOf, ID, ISO, MALFORMED_IDS, UNKNOWN_ID } from '../workspaces/people';
import { type Added } from './lead-responses';
import { Leads } from './leads';

describe('POST /v1/campaigns/:campaignId/leads', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let leads: Leads;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
  });
  afterAll(() => platform.close());

  /** A campaign without leads. */
  const anotherCampaign = async () => {
    leads = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
  };

  const countsOf = async ({ workspace: { key }, campaignId }: Leads) =>
    dataOf<Campaign>(await readCampaign(platform, key, campaignId)).leadCounts;
  const counts = () => countsOf(leads);

  describe('with a valid request', () => {
    beforeEach(anotherCampaign);

    it('adds a single lead with all its fields', async () => {
      const fields = {
        email: ' Ada.Lovelace@EXAMPLE.com',
        firstName: 'Ada',
        lastName: 'Lovelace',
        companyName: 'Engines',
        jobTitle: 'Analyst',
        phone: '+44 1',
        website: 'https://engines.example',
        linkedinUrl: 'https://linkedin.com/in/ada',
        city: 'London',
        country: 'UK',
        timezone: 'europe/london',
        variables: { 'plan.name': 'Pro {{x}}', größe: '' },
      };
      const response = await leads.post(fields).expect(201);
      const email = 'ada.lovelace@example.com';
      expect(dataOf(response)).toEqual({
        created: 1,
        leads: [{ index: 0, _id: ID, email }],
        duplicates: [],
        suppressed: [],
      });
      const { _id } = dataOf<Added>(response).leads[0]!;
      expect(await leads.get(_id)).toEqual({
        ...fields,
        _id,
        campaignId: leads.campaignId,
        email,
        timezone: 'Europe/London',
        status: 'active',
        stopReason: null,
        resumeAt: null,
        verification: null,
        mailboxId: null,
        step: null,
        dueAt: ISO,
        sentCount: 0,
        lastSentAt: null,
        createdAt: ISO,
        updatedAt: ISO,
      });
      expect(await counts()).toEqual({ total: 1, active: 1 });
      expect(await auditedActions(platform, workspace)).toContain('leads.added');
    });

    it('adds a thousand leads in one call and refuses 1001', async () => {
      const many = (count: number) => ({
        leads: Array.from({ length: count }, (_, at) => ({ email: `p${at}@example.com` })),
      });
      expectFormB(await leads.post(many(1_001)), 400, 'VALIDATION_ERROR', 'leads');
      expect(await counts()).toEqual({ total: 0, active: 0 });
      expect(dataOf<Added>(await leads.post(many(1_000)).expect(201)).created).toBe(1_000);
      expect(await counts()).toEqual({ total: 1_000, active: 1_000 });
      const again = dataOf<Added>(await leads.post(many(1_000)).expect(201));
      expect([again.created, again.duplicates.length]).toEqual([0, 1_000]);
      expect(await counts()).toEqual({ total: 1_000, active: 1_000 });
    });

    it('reports the rows that were not added and the reasons, and adds the others', async () => {
      await leads.add('there@example.com');
      const suppressed = { addresses: ['no@example.com'], domains: ['never.example'] };
      await platform.api.as(workspace.key).post('/v1/suppressions').send(suppressed).expect(201);
      const emails = [
        'new@example.com',
        'THERE@example.com',
        'New@Example.com',
        'no@example.com',
        'a@sub.never.example',
        'b@example.com',
      ];
      expect(dataOf(await leads.post({ leads: emails.map((email) => ({ email })) }).expect(201))).toEqual({
        created: 2,
        leads: [
          { index: 0, _id: ID, email: 'new@example.com' },
          { index: 5, _id: ID, email: 'b@example.com' },
        ],
        duplicates: [
          { index: 1, email: 'there@example.com', reason: 'already_in_campaign' },
          { index: 2, email: 'new@example.com', reason: 'repeated' },
        ],
        suppressed: [
          { index: 3, email: 'no@example.com', reason: 'suppressed' },
          { index: 4, email: 'a@sub.never.example', reason: 'suppressed' },
        ],
      });
      expect(await counts()).toEqual({ total: 3, active: 3 });
    });

    it('reports a removed lead that got an email, and keeps it removed', async () => {
      const [written, unwritten] = await leads.add('written@example.com', 'unwritten@example.com');
      await leads.set(written!, { sentCount: 1 });
      expect(await leads.modified({ action: 'remove', selectAll: true })).toBe(2);
      const again = { leads: [{ email: 'Written@example.com' }, { email: 'unwritten@example.com' }] };
      expect(dataOf(await leads.post(again).expect(201))).toEqual({
        created: 1,
        leads: [{ index: 1, _id: ID, email: 'unwritten@example.com' }],
        duplicates: [{ index: 0, email: 'written@example.com', reason: 'removed_from_campaign' }],
        suppressed: [],
      });
      expect(await leads.get(written!)).toMatchObject({ status: 'removed', sentCount: 1, dueAt: null });
      expect(await leads.stored(unwritten!)).toBeNull();
      expect(await counts()).toEqual({ total: 2, active: 1 });
    });

    it('accepts an address in two campaigns, and lets one of two racing calls add it', async () => {
      const other = new Leads(platform, workspace, (await newCampaign(platform, workspace))._id);
      await leads.add('ada@example.com');
      expect(await other.add('ada@example.com')).toHaveLength(1);
      const racing = await Promise.all(Array.from({ length: 4 }, () => leads.add('racer@example.com')));
      expect(racing.flat()).toHaveLength(1);
      expect(await counts()).toEqual({ total: 2, active: 2 });
    });

    it('enforces the lead limit of the workspace, all or none', async () => {
      const records = platform.app.get<Model<{ limits: WorkspaceLimits }>>(getModelToken('WorkspaceRecord'), {
        strict: false,
      });
      const small = await platform.seed.workspace();
      await records.updateOne({ _id: small.workspaceId } as never, { $set: { 'limits.maxLeads': 2 } });
      const few = new Leads(platform, small, (await newCampaign(platform, small))._id);
      await few.add('one@example.com');
      expectFormB(
        await few.post({ leads: [{ email: 'a@b.example' }, { email: 'c@b.example' }] }),
        409,
        'LIMIT_EXCEEDED',
      );
      expect(await countsOf(few)).toEqual({ total: 1, active: 1 });
      await few.add('two@example.com', 'one@example.com');
      expect(await few.modified({ action: 'remove', selectAll: true })).toBe(2);
      await few.add('three@example.com', 'four@example.com');
    });

    it('schedules the mailboxes of an active campaign, and restarts a completed one', async () => {
      const { _id, mailboxes } = await readyCampaign(platform, workspace);
      const mine = new Leads(platform, workspace, _id);
      await mine.add('early@example.com');
      expect(await mine.findLease(mailboxes[0]!)).toBeUndefined();
      await activated(platform, workspace.workspaceId, _id);
      await mine.complete();
      await mine.add('early@example.com');
      expect(dataOf<Campaign>(await readCampaign(platform, workspace.key, _id)).status).toBe('completed');
      await mine.add('late@example.com');
      expect(dataOf<Campaign>(await readCampaign(platform, workspace.key, _id))).toMatchObject({
        status: 'active',
        completedAt: null,
      });
      expect(await mine.findLease(mailboxes[0]!)).toBeInstanceOf(Date);
      expect((await mine.list()).data[0]!.step).toEqual({ id: ID, order: 0 });
    });
  });

  describe('with an invalid request', () => {
    beforeAll(anotherCampaign);

    it.each([
      ['email', {}],
      ['leads', { leads: [] }],
      ['leads', { leads: 'x' }],
      ['leads', { leads: [[]] }],
      ['leads', { leads: [{ email: 'a@b.example' }], email: 'c@b.example' }],
      ['leads.1.email', { leads: [{ email: 'a@b.example' }, { email: 'none' }] }],
      ['leads.0.email', { leads: [{}] }],
      ['leads.0.status', { leads: [{ email: 'a@b.example', status: 'completed' }] }],
      ['leads.0.variables.a b', { leads: [{ email: 'a@b.example', variables: { 'a b': 'x' } }] }],
      ['email', { email: 'none' }],
      ['firstName', { email: 'a@b.example', firstName: 'x'.repeat(201) }],
      ['timezone', { email: 'a@b.example', timezone: 'Mars/Olympus' }],
      ['variables', { email: 'a@b.example', variables: [] }],
      ['variables.$where', { email: 'a@b.example', variables: { $where: '1' } }],
      ['variables.firstName', { email: 'a@b.example', variables: { firstName: 'Ada' } }],
      ['variables.x', { email: 'a@b.example', variables: { x: 5 } }],
      ['variables.x', { email: 'a@b.example', variables: { x: null } }],
      ['variables.x', { email: 'a@b.example', variables: { x: 'y'.repeat(2_001) } }],
      ['variables.x', { email: 'a@b.example', variables: { x: 'a\0b' } }],
      [
        'variables',
        { email: 'a@b.example', variables: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`v${at}`, ''])) },
      ],
      ['dueAt', { email: 'a@b.example', dueAt: '2099-01-01T00:00:00Z' }],
    ] as [string, object][])('names the invalid field: %s', async (field, body) => {
      expectFormB(await leads.post(body), 400, 'VALIDATION_ERROR', field);
    });

    it('has added nothing by any of these', async () => {
      expect(await counts()).toEqual({ total: 0, active: 0 });
    });

    it('explains the allowed names of variables and the place of fields', async () => {
      const said = async (variables: object) => (await leads.post({ email: 'a@b.example', variables })).text;
      const letters = 'names are letters, digits and _, with a . only between them';
      for (const name of ['.', 'a.', '.a', 'a..b', 'a b', '']) {
        expect(await said({ [name]: 'x' })).toContain(`variables.${name} is not an allowed name: ${letters}`);
      }
      expect(await said({ ['x'.repeat(65)]: 'x' })).toContain(
        'is not an allowed name: it is longer than 64 characters',
      );
      expect(await said({ city: 'x' })).toContain(
        'variables.city is a field of the lead, not a variable: set it as city',
      );
      for (const name of ['constructor', 'toString', 'prototype']) {
        expect(await said({ [name]: 'x' })).toContain(`must not have a field named ${name}`);
      }
      const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`v${at}`, '']));
      expect(await said(many)).toContain('variables must have at most 50 names');
      await leads.post({ email: 'a@b.example', variables: { constructor2: 'x', 'a.b': 'y' } }).expect(201);
    });

    it('refuses an archived campaign, an unknown one, another workspace’s campaign, and a read-only key', async () => {
      const lead = { email: 'ada@example.com' };
      const other = await platform.seed.workspace();
      for (const id of [UNKNOWN_ID, ...MALFORMED_IDS]) {
        expectFormB(await new Leads(platform, workspace, id).post(lead), 404, 'NOT_FOUND');
      }
      expectFormB(await leads.post(lead, other.key), 404, 'NOT_FOUND');
      expectFormA(await leads.post(lead, await platform.seed.workspaceKey(workspace.workspaceId, ['read'])), 403);
      await platform.api.as(workspace.key).post(`/v1/campaigns/${leads.campaignId}/archive`).expect(200);
      expectFormB(await leads.post(lead), 409, 'CONFLICT');
    });
  });
});
