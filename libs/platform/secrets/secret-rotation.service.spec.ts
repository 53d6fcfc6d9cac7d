import { KeyRing } from './key-ring';
import { SecretStoreRegistry, type EncryptedValue } from './secret-store.registry';
import { SecretBoxService } from './secret-box.service';
import { SecretRotationService } from './secret-rotation.service';

const K1 = `k1:${Buffer.alloc(32, 1).toString('base64')}`;
const K2 = `k2:${Buffer.alloc(32, 2).toString('base64')}`;
const boxOf = (...keys: string[]): SecretBoxService => new SecretBoxService(KeyRing.parse(keys.join(',')));

/** A store backed by a map of labels to sealed values. */
function storeOf(name: string, values: Map<string, string>, meanwhile: (label: string) => void = () => undefined) {
  return {
    name,
    async *values(): AsyncGenerator<EncryptedValue> {
      for (const [label, sealed] of Array.from(values)) {
        yield await Promise.resolve({
          label,
          ciphertext: sealed,
          owner: label,
          replace: (resealed: string) => {
            meanwhile(label);
            if (values.get(label) !== sealed) return Promise.resolve(false);
            values.set(label, resealed);
            return Promise.resolve(true);
          },
        });
      }
    },
  };
}

function rotationOver(box: SecretBoxService, ...stores: ReturnType<typeof storeOf>[]): SecretRotationService {
  const all = new SecretStoreRegistry();
  for (const store of stores) all.add(store);
  return new SecretRotationService(box, all);
}

describe('rotation', () => {
  const before = boxOf(K1);
  const during = boxOf(K2, K1);
  const after = boxOf(K2);
  const sealedBy = (box: SecretBoxService, ...labels: string[]) =>
    new Map(labels.map((label) => [label, box.seal(`secret of ${label}`, label)]));

  it('reseals every value, so that the old key can be removed', async () => {
    const values = new Map([...sealedBy(before, 'a', 'b'), ...sealedBy(during, 'c')]);
    const report = await rotationOver(during, storeOf('things', values)).run({ dryRun: false });
    expect(report).toEqual({
      dryRun: false,
      resealed: 2,
      alreadyCurrent: 1,
      failed: 0,
      failures: [],
      keysInUse: { k2: 3 },
      currentKey: 'k2',
    });
    for (const [label, sealed] of values) expect(after.open(sealed, label)).toBe(`secret of ${label}`);
  });

  it('only counts in a dry run', async () => {
    const values = sealedBy(before, 'a', 'b');
    const untouched = new Map(values);
    const report = await rotationOver(during, storeOf('things', values)).run({ dryRun: true });
    expect(report).toMatchObject({ dryRun: true, resealed: 2, keysInUse: { k1: 2 } });
    expect(values).toEqual(untouched);
  });

  it('changes nothing in a second run', async () => {
    const values = sealedBy(before, 'a', 'b');
    const rotation = rotationOver(during, storeOf('things', values));
    await rotation.run({ dryRun: false });
    expect(await rotation.run({ dryRun: false })).toMatchObject({ resealed: 0, alreadyCurrent: 2 });
  });

  it('reports values that it cannot open, without content, and continues', async () => {
    const foreign = boxOf(`k0:${Buffer.alloc(32, 9).toString('base64')}`);
    const values = new Map([
      ['mailbox-1 smtp', foreign.seal('canary', 'mailbox-1 smtp')],
      ['mailbox-2 smtp', before.seal('canary', 'another owner')],
      ['mailbox-3 smtp', 'canary in plain text'],
      ...sealedBy(before, 'mailbox-4 smtp'),
    ]);
    const report = await rotationOver(during, storeOf('mailboxes', values)).run({ dryRun: false });
    expect(report).toMatchObject({
      resealed: 1,
      failed: 3,
      failures: [
        { store: 'mailboxes', secret: 'mailbox-1 smtp', reason: 'unknown_key' },
        { store: 'mailboxes', secret: 'mailbox-2 smtp', reason: 'refused' },
        { store: 'mailboxes', secret: 'mailbox-3 smtp', reason: 'malformed' },
      ],
      keysInUse: { '(unreadable)': 1, k0: 1, k1: 1, k2: 1 },
    });
    expect(JSON.stringify(report)).not.toContain('canary');
  });

  it('leaves concurrent writes unchanged and reports their key', async () => {
    const values = sealedBy(before, 'a');
    const store = storeOf('things', values, (label) => values.set(label, before.seal('newer', label)));
    const report = await rotationOver(during, store).run({ dryRun: false });
    expect(before.open(values.get('a')!, 'a')).toBe('newer');
    expect(report).toMatchObject({ resealed: 0, keysInUse: { k1: 1 } });
  });

  it('rotates every store', async () => {
    const [first, second] = [sealedBy(before, 'a'), sealedBy(before, 'b')];
    const report = await rotationOver(during, storeOf('z', first), storeOf('a', second)).run({ dryRun: false });
    expect(report.resealed).toBe(2);
  });
});
