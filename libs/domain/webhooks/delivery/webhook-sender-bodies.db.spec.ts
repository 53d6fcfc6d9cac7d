import { type EventRecord } from '@domain/events';
import { type Model, Types } from 'mongoose';
import { sampleData, getViolations } from '../../events/testing';
import { WebhooksFixture } from '../testing/webhooks-fixture';
import { getMessageSchema } from '../message/message-shape';
import { type WebhookMessage } from '../message/webhook-message';
import { WebhookSenderService } from './webhook-sender.service';

describe('the message bodies of many events', () => {
  let fixture: WebhooksFixture;
  let messages: WebhookSenderService;
  const id = () => new Types.ObjectId();

  beforeAll(async () => {
    fixture = await WebhooksFixture.open();
    messages = fixture.get(WebhookSenderService);
  });
  afterAll(() => fixture.close());

  /** Stores a record with these fields in a workspace of its own and returns its id. */
  async function stored(record: 'CampaignRecord' | 'MailboxRecord', fields: object): Promise<Types.ObjectId> {
    const model: Model<unknown> = fixture.model({ name: record });
    const { insertedId } = await model.collection.insertOne({ workspaceId: id(), ...fields });
    return insertedId;
  }

  const sent = (about: Partial<EventRecord>): EventRecord => ({
    _id: id(),
    workspaceId: id(),
    type: 'email.sent',
    dedupeKey: 'x',
    at: fixture.clock.now(),
    mailboxId: null,
    campaignId: null,
    leadId: null,
    createdAt: fixture.clock.now(),
    ...about,
    data: sampleData('email.sent'),
  });

  const written = async (...events: EventRecord[]) =>
    (await messages.composeBodies(events.map((event) => ({ event })))).map(
      ({ body }) => JSON.parse(body) as WebhookMessage,
    );

  it('contain the names of the subjects of several workspaces and match their schema', async () => {
    const [autumn, spring] = [
      await stored('CampaignRecord', { name: 'Autumn', deletedAt: null }),
      await stored('CampaignRecord', { name: 'Spring', deletedAt: null }),
    ];
    const mailboxId = await stored('MailboxRecord', { email: 'grace@example.org' });
    const bodies = await written(sent({ campaignId: autumn, mailboxId }), sent({ campaignId: spring, leadId: id() }));
    expect(bodies.map(({ data }) => [data['campaignName'], data['mailboxEmail']])).toEqual([
      ['Autumn', 'grace@example.org'],
      ['Spring', null],
    ]);
    for (const message of bodies) expect(getViolations(getMessageSchema('email.sent'), message)).toEqual([]);
  });

  it('contain null as the name of a deleted subject, with its id', async () => {
    const campaignId = await stored('CampaignRecord', { name: 'Gone', deletedAt: new Date() });
    const mailboxId = id();
    const [message] = await written(sent({ campaignId, mailboxId }));
    expect(message?.data).toMatchObject({
      campaignId: campaignId.toHexString(),
      campaignName: null,
      mailboxId: mailboxId.toHexString(),
      mailboxEmail: null,
    });
  });

  it('take two queries in total, and none for events without subjects', async () => {
    const finds = (['CampaignRecord', 'MailboxRecord'] as const).map((name) =>
      jest.spyOn(fixture.model<unknown>({ name }), 'find'),
    );
    await written(...Array.from({ length: 20 }, () => sent({ campaignId: id(), mailboxId: id() })));
    expect(finds.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    await written(sent({}));
    expect(finds.map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
    for (const find of finds) find.mockRestore();
  });

  it('are the same bytes for all webhooks of an event', async () => {
    const event = sent({});
    const [one, other] = await messages.composeBodies([{ event }, { event }]);
    expect(one?.body).toBe(other?.body);
  });
});
