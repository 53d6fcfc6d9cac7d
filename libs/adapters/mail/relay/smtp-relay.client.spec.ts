import { inspect } from 'node:util';
import { closeAll, messageTo, server, yes } from '../smtp/testing/smtp-harness';
import { ScriptedSmtp, type SmtpScript } from '../smtp/testing/scripted-smtp';
import { SmtpRelayClient } from './smtp-relay.client';

const CANARY = 'canary:Pa55@word/7f3e';
const opened: SmtpRelayClient[] = [];

afterEach(async () => {
  for (const relay of opened.splice(0)) await relay.onModuleDestroy();
  await closeAll();
});

async function relayTo(script: SmtpScript): Promise<{ smtp: ScriptedSmtp; relay: SmtpRelayClient }> {
  const smtp = await server(script);
  const url = `smtp://reports%40acme.example:${encodeURIComponent(CANARY)}@127.0.0.1:${smtp.port}`;
  const relay = new SmtpRelayClient({
    url,
    from: 'reports@acme.example',
    ehloName: 'api.acme.example',
    allowPlaintext: true,
  });
  opened.push(relay);
  return { smtp, relay };
}

describe('the mail server of the operator', () => {
  it('logs in as its URL says, even in a private network, and submits messages', async () => {
    const { smtp, relay } = await relayTo({ capabilities: ['AUTH PLAIN'] });
    expect(relay.from).toBe('reports@acme.example');
    const message = messageTo('bob@example.com');
    expect(await relay.send(message, { beforeHandover: yes })).toMatchObject({ kind: 'accepted' });
    expect(smtp.messages).toEqual([message.raw.toString('latin1')]);
    const plain = Buffer.from(`\0reports@acme.example\0${CANARY}`).toString('base64');
    expect(smtp.commands.join('\n')).toContain(plain);
  });

  it('submits nothing when the ready check refuses', async () => {
    const { smtp, relay } = await relayTo({ capabilities: ['AUTH PLAIN'] });
    const outcome = await relay.send(messageTo('bob@example.com'), { beforeHandover: () => Promise.resolve(false) });
    expect([outcome, smtp.messages]).toEqual([{ kind: 'withheld' }, []]);
  });

  it('never reveals a refused password', async () => {
    const said = `535 ${CANARY} is wrong, as is ${Buffer.from(`\0reports@acme.example\0${CANARY}`).toString('base64')}`;
    const { relay } = await relayTo({ capabilities: ['AUTH PLAIN'], on: { AUTH: { say: said } } });
    const outcome = await relay.send(messageTo('bob@example.com'), { beforeHandover: yes });
    expect(outcome).toMatchObject({ kind: 'needs-human' });
    expect(inspect(outcome, { depth: 9 })).not.toContain('Pa55');
  });

  it('is not configured without a URL or a sender address', async () => {
    const none = new SmtpRelayClient({ url: '', from: '', ehloName: 'x', allowPlaintext: false });
    expect(none.from).toBeNull();
    expect(() => none.send(messageTo('bob@example.com'), { beforeHandover: yes })).toThrow('no mail server');
    const options = { url: 'smtp://a:b@mail.example', from: '', ehloName: 'x', allowPlaintext: false };
    expect(() => new SmtpRelayClient(options)).toThrow('REPORT_FROM');
  });
});
