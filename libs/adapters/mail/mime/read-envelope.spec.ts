import { readEnvelope } from './read-envelope';

const HEADER = 'From: Ada <ada@acme.test>\r\nMessage-ID: <1@acme.test>\r\nDate: Wed, 25 Nov 2026 11:59:00 +0000\r\n';

describe('readEnvelope', () => {
  it('returns the summary of a mail list, regardless of the body', async () => {
    const [one, other] = await Promise.all(
      ['Subject: Hello\r\n\r\nMessage-ID: <2@acme.test>\r\n', `Subject: Hello\r\n\r\n${'x'.repeat(100_000)}`].map(
        (rest) => readEnvelope(Buffer.from(HEADER + rest)),
      ),
    );
    expect(one?.summary).toEqual({
      messageId: '<1@acme.test>',
      inReplyTo: null,
      references: [],
      from: { name: 'Ada', address: 'ada@acme.test' },
      to: [],
      subject: 'Hello',
      date: new Date('2026-11-25T11:59:00Z'),
    });
    expect(one?.fingerprint).toBe(other?.fingerprint);
  });

  it.each(['', '\r\n\r\n', '\0\0', `X: ${'x'.repeat(200_000)}`])(
    'returns a summary even for invalid messages',
    async (raw) => {
      expect((await readEnvelope(Buffer.from(raw))).summary.messageId).toBeNull();
    },
  );
});
