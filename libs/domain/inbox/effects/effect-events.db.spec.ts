import { type EventType } from '@domain/events';
import { SendRecord } from '@domain/sends';
import { bounce, InboxFixture, mail, type Written } from '../testing';

const ADA = 'ada@acme.test';

describe('the event of an incoming mail', () => {
  let inbox: InboxFixture;

  beforeAll(async () => {
    inbox = await InboxFixture.open();
  });
  afterAll(() => inbox.close());
  beforeEach(() => inbox.fresh());

  const told = async (type: EventType) => (await inbox.events()).find((event) => event.type === type)?.data;

  /** The email to which the event refers. */
  const ofEmail = ({ send }: Written) => ({
    email: ADA,
    subject: 'Your roadmap',
    step: 0,
    stepId: send.stepId.toHexString(),
    variantId: send.variantId.toHexString(),
    messageId: send.messageId,
    sendId: send._id.toHexString(),
  });

  it('carries for a bounce the verdict, and the text and codes of the remote server', async () => {
    const written = await inbox.written(ADA);
    const diagnostic = '550 5.1.1 The email account does not exist';
    await inbox.arrives(bounce({ recipient: ADA, originalId: written.send.messageId, status: '5.1.1', diagnostic }));
    expect(await told('email.bounced')).toEqual({
      ...ofEmail(written),
      verdict: 'hard',
      reason: diagnostic,
      code: '550',
      enhancedCode: '5.1.1',
      rule: expect.stringMatching(/^dsn\//) as unknown,
      inSession: false,
      softLimit: false,
    });
  });

  it('carries for a reply its own subject and text, and the label by the rules', async () => {
    const written = await inbox.written(ADA);
    const { messageId: inReplyTo } = written.send;
    const subject = 'Re: Your roadmap';
    await inbox.arrives(mail({ from: ADA, id: '<a@acme.test>', inReplyTo, subject, text: 'Please unsubscribe me.' }));
    expect(await told('email.replied')).toEqual({
      ...ofEmail(written),
      from: ADA,
      subject,
      text: 'Please unsubscribe me.',
      matchedBy: 'references',
      label: 'unsubscribe_request',
      conversationId: (await inbox.conversations())[0]?._id.toHexString(),
      firstOfLead: true,
    });
  });

  it('carries null for all fields of the email when the email of the lead is unknown', async () => {
    const { send } = await inbox.written(ADA);
    await inbox.model(SendRecord).deleteOne({ _id: send._id, workspaceId: inbox.workspaceId });
    await inbox.arrives(mail({ from: ADA, text: 'Tuesday at ten would suit me.' }));
    const unknown = { step: null, stepId: null, variantId: null, messageId: null, sendId: null };
    expect(await told('email.replied')).toMatchObject({ email: ADA, ...unknown, matchedBy: 'address' });
  });
});
