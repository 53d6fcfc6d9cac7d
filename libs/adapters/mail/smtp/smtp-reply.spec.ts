import { getRefusalKind, parseSmtpReply } from './smtp-reply';

describe('readReply', () => {
  it.each([
    ['250 ok', 250, null],
    ['250', 250, null],
    ['550 5.1.1 no such user', 550, '5.1.1'],
    ['550-5.1.1 no\n550 5.1.1 really', 550, '5.1.1'],
    ['550-no such\n550 5.7.129 user', 550, '5.7.129'],
    ['550 see 5.1.1', 550, null],
    ['250-ok\n550 no', null, null],
    ['2500 ok', null, null],
    ['150 ok', null, null],
    ['HTTP/1.1 400 Bad Request', null, null],
    ['', null, null],
  ])('reads %j', (text, code, enhancedCode) => {
    expect(parseSmtpReply(text)).toEqual({ code, enhancedCode, text });
  });
});

describe('kindOfRefusal', () => {
  it.each([
    ['recipient', '550 5.1.1 unknown', 'permanent'],
    ['recipient', '450 4.2.1 later', 'temporary'],
    ['recipient', 'garbage', 'temporary'],
    ['sender', '535 5.7.8 no', 'needs-human'],
    ['sender', '530 5.7.57 not authenticated', 'needs-human'],
    ['handover', '554 5.7.9 policy', 'permanent'],
    ['handover', '550 5.4.5 daily limit', 'permanent'],
    ['login', '535 no', 'needs-human'],
    ['login', '504 5.5.4 unknown mechanism', 'needs-human'],
    ['login', '454 4.7.0 later', 'temporary'],
    ['greeting', '554 no', 'needs-human'],
    ['greeting', '421 busy', 'temporary'],
    ['greeting', 'SSH-2.0', 'needs-human'],
    ['tls', '554 no', 'temporary'],
    ['tls', '530 no', 'temporary'],
  ] as const)('at the stage %s classifies %j as %s', (stage, text, kind) => {
    expect(getRefusalKind(stage, parseSmtpReply(text))).toBe(kind);
  });
});
