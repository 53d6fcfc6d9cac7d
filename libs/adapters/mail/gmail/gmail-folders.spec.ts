import { type GmailFixture, openGmailFixture } from './testing/gmail-fixture';
import { refusals } from './testing/gmail-refusals';

describe('a label created as a folder in Gmail', () => {
  let gmail: GmailFixture;
  beforeEach(async () => {
    gmail = await openGmailFixture();
  });
  afterEach(() => gmail.close());

  const ensure = (name: string) => gmail.session.ensureFolder(name);
  const own = () => [...gmail.mailbox.ownLabels.values()];
  const creations = () => gmail.server.requests.filter(({ method }) => method === 'labels.create').length;

  it('is shown in the list of labels and on its messages', async () => {
    const folder = await ensure('Warmup');
    expect(folder).toEqual({ id: expect.stringMatching(/^Label_/), name: 'Warmup', role: null });
    expect(own()).toEqual([{ name: 'Warmup', labelListVisibility: 'labelShow', messageListVisibility: 'show' }]);
  });

  it('is the existing one that differs in case only, because Gmail allows no second one', async () => {
    const id = gmail.mailbox.createLabel('warmup');
    expect(await ensure('WarmUp')).toEqual({ id, name: 'warmup', role: null });
    expect(creations()).toBe(0);
  });

  it('is the one that another client created between the lookup and the request', async () => {
    const when = () => gmail.mailbox.createLabel('WARMUP') !== '';
    gmail.server.trouble({ on: 'labels.create', fault: { reply: refusals.labelExists() }, when });
    expect(await ensure('Warmup')).toMatchObject({ name: 'WARMUP' });
    expect(own()).toHaveLength(1);
  });

  it('is created once when the response is lost', async () => {
    gmail.server.trouble({ on: 'labels.create', fault: { lost: 'reset', after: true } });
    expect(await ensure('Warmup')).toMatchObject({ name: 'Warmup' });
    expect(own()).toHaveLength(1);
  });

  it.each(['Starred', 'important', 'CHAT'])('cannot be named %s, which Gmail reserves', async (name) => {
    const lastReply = { code: '400', command: 'POST labels', response: expect.stringContaining('Invalid label name') };
    await expect(ensure(name)).rejects.toMatchObject({ failure: 'permanent', lastReply });
    expect(own()).toEqual([]);
  });

  it('is refused permanently when it conflicts without an existing label of its name', async () => {
    gmail.server.trouble({ on: 'labels.create', fault: { reply: refusals.labelExists() } });
    const lastReply = { code: '409', response: expect.stringContaining('Label name exists or conflicts') };
    await expect(ensure('Warmup')).rejects.toMatchObject({ failure: 'permanent', stage: 'request', lastReply });
    expect(creations()).toBe(1);
  });

  it('is not created when its name has two levels', async () => {
    await expect(ensure('Clients/Acme')).rejects.toMatchObject({ failure: 'permanent' });
    expect(gmail.server.requests).toEqual([]);
  });

  it.each([
    [refusals.rateLimit('5'), { failure: 'temporary', retryAfterMs: 5_000 }],
    [refusals.forbidden('insufficientPermissions'), { failure: 'needs-human' }],
  ])('fails like any other request', async (reply, expected) => {
    gmail.server.trouble({ on: 'labels.create', fault: { reply } });
    await expect(ensure('Warmup')).rejects.toMatchObject(expected);
  });

  it('fails temporarily when the response does not contain it, and is found on the next attempt', async () => {
    const reply = { status: 200, body: { name: 'Warmup' } };
    gmail.server.trouble({ on: 'labels.create', fault: { reply, after: true } });
    await expect(ensure('Warmup')).rejects.toMatchObject({ failure: 'temporary' });
    expect(await ensure('Warmup')).toMatchObject({ name: 'Warmup' });
    expect(own()).toHaveLength(1);
  });
});
