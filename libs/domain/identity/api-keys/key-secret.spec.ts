import { isUsable, createKeySecret, parsePresentedKey, rotateSecrets } from './key-secret';
import { type KeySecret } from './schemas/key-record';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const later = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

describe('a key secret', () => {
  it.each([
    ['user', /^sk_user_[0-9a-f]{64}$/],
    ['workspace', /^sk_[0-9a-f]{64}$/],
  ] as const)('of a %s key has its prefix and 256 random bits', (kind, form) => {
    const [one, other] = [createKeySecret(kind), createKeySecret(kind)];
    expect(one.key).toMatch(form);
    expect(one.key).not.toBe(other.key);
  });

  it('is stored as a hash and its last four characters', () => {
    const { key, stored } = createKeySecret('workspace');
    expect(stored).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/), last4: key.slice(-4), expiresAt: null });
    expect(JSON.stringify(stored)).not.toContain(key);
  });

  it('is recognised by its hash and kind when it is presented', () => {
    const { key, stored } = createKeySecret('user');
    expect(parsePresentedKey(key)).toEqual({ kind: 'user', hash: stored.hash });
  });

  it.each([undefined, '', 'x'.repeat(201), ['sk_a'], { $ne: null }, 5])(
    'presented as %j costs a hash and is unknown',
    (secret) => {
      expect(parsePresentedKey(secret)).toEqual({ kind: 'workspace', hash: parsePresentedKey('').hash });
    },
  );
});

describe('the validity of a key', () => {
  const secrets = [
    { hash: 'new', last4: '', expiresAt: null },
    { hash: 'old', last4: '', expiresAt: later(5) },
  ];

  it.each([
    ['with its current secret', 'new', {}, NOW, true],
    ['with the secret of before, during the overlap', 'old', {}, later(4), true],
    ['not with the secret of before when the overlap ends', 'old', {}, later(5), false],
    ['not with another secret', 'other', {}, NOW, false],
    ['not once it is revoked', 'new', { revokedAt: later(-1) }, NOW, false],
    ['until it expires', 'new', { expiresAt: later(1) }, NOW, true],
    ['not from the moment in which it expires', 'new', { expiresAt: NOW }, NOW, false],
  ] as const)('%s', (_title, hash, state, now, expected) => {
    expect(isUsable({ secrets, expiresAt: null, revokedAt: null, ...state }, hash, now)).toBe(expected);
  });
});

describe('a rotation', () => {
  const fresh = { hash: 'new', last4: 'nnnn', expiresAt: null };
  const current = { hash: 'old', last4: 'oooo', expiresAt: null };

  it('without overlap ends the previous secret at once', () => {
    expect(rotateSecrets([current], fresh, NOW, 0)).toEqual([fresh]);
  });

  it('with overlap keeps the previous secret valid for that time', () => {
    expect(rotateSecrets([current], fresh, NOW, 60_000)).toEqual([fresh, { ...current, expiresAt: later(1) }]);
  });

  it('extends no secret with an earlier expiry, and drops expired ones', () => {
    const ending = { hash: 'older', last4: '', expiresAt: later(2) };
    const ended = { hash: 'oldest', last4: '', expiresAt: later(-1) };
    expect(rotateSecrets([current, ending, ended], fresh, NOW, 600_000)).toEqual([
      fresh,
      { ...current, expiresAt: later(10) },
      ending,
    ]);
  });

  it('keeps at most three secrets for any number of rotations during an overlap', () => {
    let secrets: KeySecret[] = [current];
    for (let rotation = 0; rotation < 10; rotation++)
      secrets = rotateSecrets(secrets, { ...fresh, hash: `rotation ${rotation}` }, NOW, 600_000);
    expect(secrets.map(({ hash }) => hash)).toEqual(['rotation 9', 'rotation 8', 'rotation 7']);
  });
});
