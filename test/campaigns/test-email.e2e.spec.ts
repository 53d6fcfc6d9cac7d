import { readFile } from 'node:fs/promises';
import { eventually, mailSandbox } from '@testing';
import { expectFormA, expectFormB, inEachRow, type Platform, type SeededWorkspace, sharedPlatform } from '../harness';
import { Leads } from '../leads/leads';
import { newAddress, seededMailbox } from '../mailboxes/sandbox';
import { dataOf, UNKNOWN_ID } from '../workspaces/people';
import { type Campaign, newCampaign, readyCampaign, type Step } from './campaigns';

interface Preview {
  subject: string;
  html: string;
  text: string;
  missing: string[];
}

interface Sent {
  to: string;
  messageId: string;
  outcome: string;
  response: string | null;
  subject: string;
}

interface Caught {
  from: string;
  messageId: string;
  subject: string;
}

const SEQUENCE = [
  {
    subject: 'Hello {{firstName}}',
    body: '<p>At {{companyName}}, see <a href="https://example.com/x">this</a>. {{industry | default: "all"}}</p>',
  },
  { subject: '', body: '<p>Second, {{firstName}}</p>' },
  {
    variants: [
      { subject: 'A', body: '<p>A {{industry}}</p>' },
      { subject: 'B', body: '<p>B</p>' },
    ],
  },
];

describe('POST /v1/campaigns/:campaignId/test-email and /preview', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let usual: Campaign;
  let campaign: Campaign;
  let mailboxId: string;
  let serial = 0;

  beforeAll(async () => {
    platform = await sharedPlatform();
    workspace = await platform.seed.workspace();
    usual = await readyCampaign(platform, workspace, { sequence: SEQUENCE, trackOpens: true, trackClicks: true });
  });
  beforeEach(async () => {
    campaign = usual;
    mailboxId = (await seededMailbox(platform, workspace.workspaceId))._id;
  });
  afterAll(() => platform.close());

  const post = (verb: 'test-email' | 'preview', body: object, id = campaign._id, key = workspace.key) =>
    platform.api.as(key).post(`/v1/campaigns/${id}/${verb}`).send(body);
  const preview = async (body: object = {}) => dataOf<Preview>(await post('preview', body).expect(200));
  const send = (body: object = {}) => post('test-email', { mailboxId, to: newAddress('receiver'), ...body });
  const sent = async (body: object = {}) => dataOf<Sent>(await send(body).expect(200));
  const mailbox = async () =>
    dataOf<{ sentToday: number; email: string; status: string }>(
      await platform.api.as(workspace.key).get(`/v1/mailboxes/${mailboxId}`),
    );
  const newLead = async (more: object): Promise<string> => {
    const leads = new Leads(platform, workspace, campaign._id);
    const added = await leads.post({ leads: [{ email: `grace${(serial += 1)}@lead.test`, ...more }] }).expect(201);
    return dataOf<{ leads: { _id: string }[] }>(added).leads[0]?._id ?? '';
  };
  const steps = async () =>
    dataOf<{ sequence: Step[] }>(await platform.api.as(workspace.key).get(`/v1/campaigns/${campaign._id}/sequence`))
      .sequence;
  const caught = async (messageId: string): Promise<Caught> => {
    let line: string | undefined;
    await eventually('the sandbox has logged it', async () => {
      const lines = (await readFile(mailSandbox().acceptedLog, 'utf8')).split('\n');
      line = lines.findLast((one) => one.includes(messageId.slice(1, -1)));
      return line !== undefined;
    });
    return JSON.parse(line ?? '') as Caught;
  };

  it('shows an email with sample values, with its unsubscribe link and without tracking', async () => {
    const shown = await preview();
    expect(shown).toMatchObject({ subject: 'Hello Grace', missing: [] });
    expect(shown.html).toContain('At Example Inc., see <a href="https://example.com/x">this</a>. all');
    expect(shown.html).toContain('/u/');
    expect(shown.html).not.toMatch(/\/t\/[och]\//);
    expect(shown.text).toContain('At Example Inc., see this [https://example.com/x]');
  });

  it('sends the email as shown, and counts it for the mailbox only', async () => {
    const to = newAddress('receiver');
    const answer = await sent({ to });
    expect(answer).toEqual({
      to,
      messageId: expect.stringMatching(/^<[0-9a-f]{24}@senders\.test>$/) as unknown,
      outcome: 'accepted',
      response: expect.stringMatching(/^2/) as unknown,
      subject: 'Hello Grace',
    });
    const { sentToday, email } = await mailbox();
    expect(sentToday).toBe(1);
    expect(await caught(answer.messageId)).toMatchObject({ from: email, subject: 'Hello Grace' });
    const read = dataOf<Campaign>(
      await platform.api
        .as(workspace.key)
        .with({ Authorization: `Bearer ${workspace.key}` })
        .get(`/v1/campaigns/${campaign._id}`),
    );
    expect(read.stats['sent']).toBe(0);
  });

  it('uses the values and the variant of a lead, and replies in the thread', async () => {
    const leadId = await newLead({ firstName: 'Ada', companyName: 'Engines' });
    expect(await preview({ leadId })).toMatchObject({ subject: 'Hello Ada' });
    expect(await preview({ leadId, stepOrder: 1 })).toMatchObject({ subject: 'Re: Hello Ada', missing: [] });
    const first = await preview({ leadId, stepOrder: 2 });
    expect(await preview({ leadId, stepOrder: 2 })).toMatchObject({ subject: first.subject });
  });

  it('selects a step by its id, and a variant by its id', async () => {
    const [, second, third] = await steps();
    expect((await preview({ stepId: second?._id })).html).toContain('Second, Grace');
    const [a, b] = third?.variants ?? [];
    expect(await preview({ stepId: third?._id, variantId: b?._id })).toMatchObject({ subject: 'B' });
    expect(await preview({ stepOrder: 2, variantId: a?._id })).toMatchObject({ subject: 'A' });
    expect((await preview({ stepOrder: 2, variantId: a?._id })).html).toContain('A [industry]');
  });

  it('shows a missing value by its name, and does not send the email', async () => {
    const leadId = await newLead({ firstName: '', companyName: '' });
    const shown = await preview({ leadId });
    expect(shown).toMatchObject({ subject: 'Hello [firstName]' });
    expect(shown.missing).toEqual(['firstName', 'companyName']);
    expect(shown.html).toContain('At [companyName]');
    const refused = await send({ leadId });
    expectFormB(refused, 400, 'VALIDATION_ERROR', 'variables.firstName', 'variables.companyName');
    expect((await mailbox()).sentToday).toBe(0);
  });

  it('makes no link of an invalid value, and does not send the email', async () => {
    const sequence = [{ subject: 'Hi', body: '<p><a href="{{website}}">site</a> <a href="{{demo}}">demo</a></p>' }];
    campaign = await readyCampaign(platform, workspace, { sequence });
    expect(await preview()).toMatchObject({ missing: [] });
    expect((await preview()).html).toContain(
      '<a href="https://www.example.com">site</a> <a href="https://www.example.com/demo">demo</a>',
    );
    const leadId = await newLead({ website: 'javascript:alert(1)', variables: { demo: 'https://x.test/\na' } });
    const shown = await preview({ leadId });
    expect(shown.missing).toEqual(['website', 'demo']);
    expect(shown.html).toContain('<a href="[website]">site</a> <a href="[demo]">demo</a>');
    const refused = await send({ leadId });
    expectFormB(refused, 400, 'VALIDATION_ERROR', 'variables.website', 'variables.demo');
    expect(refused.text).toContain(
      'variables.website: there is neither a default nor a link (http, https, mailto or tel) for {{website}}',
    );
  });

  it('names the sender’s name when a mailbox has none', async () => {
    const unnamed = await readyCampaign(platform, workspace, {
      sequence: [{ subject: 'Hi', body: 'I am {{senderName}}' }],
    });
    const shown = dataOf<Preview>(await post('preview', {}, unnamed._id));
    expect(shown).toMatchObject({ missing: ['senderName'] });
    expect(shown.text).toContain('I am [senderName]');
  });

  it('shows a campaign without a mailbox too', async () => {
    const bare = await newCampaign(platform, workspace, { sequence: [{ subject: 'Hi', body: 'I am {{senderName}}' }] });
    expect(dataOf<Preview>(await post('preview', {}, bare._id)).text).toContain('I am Sender');
  });

  it('sends although campaign and mailbox are paused, because a person asks', async () => {
    await platform.api.as(workspace.key).post(`/v1/mailboxes/${mailboxId}/pause`).expect(200);
    expect(await sent()).toMatchObject({ outcome: 'accepted' });
  });

  it.each([
    ['rcpt-550', 'permanent', 0],
    ['rcpt-450', 'temporary', 0],
    ['drop-after-dot', 'ambiguous', 1],
  ])(
    'reports that a mail to %s was %s, and counts it only if it may have been sent',
    async (fault, outcome, counted) => {
      expect(await sent({ to: newAddress(fault) })).toMatchObject({ outcome });
      expect(await mailbox()).toMatchObject({ sentToday: counted, status: 'active' });
    },
  );

  it('records on the mailbox that its login was rejected', async () => {
    const { _id } = await seededMailbox(platform, workspace.workspaceId, 'wrong');
    mailboxId = _id;
    expect(await sent()).toMatchObject({ outcome: 'needs-human' });
    expect(await mailbox()).toMatchObject({ status: 'disconnected', sentToday: 0 });
  });

  it('refuses an email beyond the daily limit', async () => {
    await platform.api.as(workspace.key).patch(`/v1/mailboxes/${mailboxId}`).send({ dailySendLimit: 1 }).expect(200);
    await sent();
    const refused = await send();
    expectFormB(refused, 409, 'CONFLICT');
    expect(refused.text).toContain('The daily limit of 1 emails');
  });

  it('sends nothing to a suppressed address', async () => {
    const to = newAddress('receiver');
    await platform.api
      .as(workspace.key)
      .post('/v1/suppressions')
      .send({ addresses: [to] })
      .expect(201);
    expectFormB(await send({ to }), 400, 'VALIDATION_ERROR', 'to');
    expect((await mailbox()).sentToday).toBe(0);
  });

  it('refuses unknown input and names the field', async () => {
    const stranger = await platform.seed.workspace();
    const foreign = await seededMailbox(platform, stranger.workspaceId);
    const other = await readyCampaign(platform, workspace);
    const leads = new Leads(platform, workspace, other._id);
    const [foreignLead] = await leads.add('other@lead.test');
    const [step] = await steps();
    const cases: [object, string][] = [
      [{ mailboxId: foreign._id }, 'mailboxId'],
      [{ mailboxId: 'x' }, 'mailboxId'],
      [{ leadId: foreignLead }, 'leadId'],
      [{ leadId: 'x' }, 'leadId'],
      [{ stepId: UNKNOWN_ID }, 'stepId'],
      [{ stepOrder: 3 }, 'stepOrder'],
      [{ stepOrder: -1 }, 'stepOrder'],
      [{ stepId: step?._id, stepOrder: 0 }, 'stepOrder'],
      [{ variantId: UNKNOWN_ID }, 'variantId'],
    ];
    await inEachRow(cases, async ([body, field]) => {
      expectFormB(await send(body), 400, 'VALIDATION_ERROR', field);
      expectFormB(await post('preview', body), 400, 'VALIDATION_ERROR', field);
    });
    for (const to of ['nobody', 'a@b.test\r\nBcc: c@d.test', ['a@b.test']]) {
      expectFormB(await send({ to }), 400, 'VALIDATION_ERROR', 'to');
    }
    expectFormB(await post('test-email', { to: 'a@b.test' }), 400, 'VALIDATION_ERROR', 'mailboxId');
  });

  it('answers 404 Form B to an unknown campaign and another workspace, 409 without a sequence, 403 to a read-only key', async () => {
    const stranger = await platform.seed.workspace();
    const readOnly = await platform.seed.workspaceKey(workspace.workspaceId, ['read']);
    const bare = await newCampaign(platform, workspace);
    const body = { mailboxId, to: 'a@b.test' };
    expectFormB(await post('test-email', body, UNKNOWN_ID), 404, 'NOT_FOUND');
    expectFormB(await post('preview', {}, UNKNOWN_ID), 404, 'NOT_FOUND');
    expectFormB(await post('test-email', body, campaign._id, stranger.key), 404, 'NOT_FOUND');
    expectFormB(await post('preview', {}, campaign._id, stranger.key), 404, 'NOT_FOUND');
    expectFormB(await post('preview', {}, bare._id), 409, 'CONFLICT');
    expectFormB(await post('test-email', body, bare._id), 409, 'CONFLICT');
    expectFormA(await post('test-email', body, campaign._id, readOnly), 403, 'permission');
    await post('preview', {}, campaign._id, readOnly).expect(200);
  });
});
