import { rounds } from '@testing';
import fc from 'fast-check';
import { VERDICTS } from './classification';
import { classify } from './classify';
import { classifyDiagnostic } from './diagnostic';
import { parseMail } from './mail-parsing';
import { DIAGNOSTIC_SAMPLES } from './testing/diagnostic-samples';

async function verdictOf(raw: Uint8Array): Promise<string> {
  return classify(await parseMail(raw), () => null).verdict;
}

const phrase = fc.constantFrom(
  ...DIAGNOSTIC_SAMPLES.map(([, , text]) => text),
  'Final-Recipient: rfc822; ada@acme.test',
  'Action: failed',
  'Diagnostic-Code: smtp;',
  'This is the mail system at host',
  '<ada@acme.test>:',
  '> quoted',
  '--b',
  '--b--',
  '',
);
const field = fc.constantFrom(
  'From: MAILER-DAEMON@mx.test',
  'From: ada@acme.test',
  'Subject: Re: Undelivered',
  'Subject: =?utf-8?b?////?=',
  'Content-Type: multipart/report; boundary=b; report-type=delivery-status',
  'Content-Type: multipart/mixed; boundary="',
  'Content-Type: message/delivery-status',
  'Content-Type: message/feedback-report',
  'Content-Type: text/html; charset=utf-16',
  'Content-Transfer-Encoding: base64',
  'Content-Transfer-Encoding: quoted-printable',
  'X-Failed-Recipients: a, b@c, <',
  ' folded',
  'no field',
);
const line = fc.oneof(phrase, field, fc.string({ unit: 'binary', maxLength: 60 }));

it('random bytes are read and have one of the verdicts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 3_000 }), async (bytes) => {
      expect(VERDICTS).toContain(await verdictOf(bytes));
    }),
    { numRuns: rounds(200) },
  );
});

it('random mail, made of the lines that rules search for, is read and has one of the verdicts', async () => {
  const mail = fc.tuple(
    fc.array(field, { maxLength: 8 }),
    fc.array(line, { maxLength: 40 }),
    fc.constantFrom('\n', '\r\n', '\r'),
  );
  await fc.assert(
    fc.asyncProperty(mail, async ([header, body, end]) => {
      expect(VERDICTS).toContain(await verdictOf(Buffer.from([...header, '', ...body].join(end))));
    }),
    { numRuns: rounds(300) },
  );
});

it('any reply of a server has a verdict, which is never hard for a temporary failure', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), fc.integer({ min: 400, max: 499 }), (lines, smtpCode) => {
      const text = lines.join(' ');
      expect(['hard', 'soft', 'policy']).toContain(classifyDiagnostic({ text }).verdict);
      expect(classifyDiagnostic({ text, smtpCode }).verdict).not.toBe('hard');
    }),
    { numRuns: rounds(500) },
  );
});
