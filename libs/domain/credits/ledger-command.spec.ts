import { checkCommand, type LedgerCommand } from './ledger-command';

const charge = { kind: 'charge', operation: 'x', amount: 1, reason: 'because' } as const;
const reserve = { ...charge, kind: 'reserve', ttlMs: 1 } as const;
const settle = { kind: 'settle', operation: 'x', used: 0 } as const;

describe('checkCommand', () => {
  it.each<LedgerCommand>([
    charge,
    { ...charge, amount: 1_000_000_000, operation: 'x'.repeat(200), reason: 'x'.repeat(500) },
    { ...reserve, ttlMs: 90 * 24 * 3600 * 1000 },
    settle,
    { kind: 'release', operation: 'x' },
  ])('accepts %j', (command) => {
    expect(() => checkCommand(command)).not.toThrow();
  });

  it.each<[string, LedgerCommand]>([
    ['amount', { ...charge, amount: 0 }],
    ['amount', { ...charge, amount: -1 }],
    ['amount', { ...charge, amount: 1.5 }],
    ['amount', { ...charge, amount: 1_000_000_001 }],
    ['amount', { ...charge, amount: Number.NaN }],
    ['amount', { ...charge, amount: '1' as unknown as number }],
    ['operation', { ...charge, operation: '' }],
    ['operation', { ...charge, operation: '  ' }],
    ['operation', { ...charge, operation: 'x'.repeat(201) }],
    ['operation', { kind: 'release', operation: '' }],
    ['reason', { ...charge, reason: ' ' }],
    ['reason', { ...charge, reason: 'x'.repeat(501) }],
    ['ttlMs', { ...reserve, ttlMs: 0 }],
    ['ttlMs', { ...reserve, ttlMs: 90 * 24 * 3600 * 1000 + 1 }],
    ['used', { ...settle, used: -1 }],
    ['used', { ...settle, used: 0.5 }],
  ])('refuses a wrong %s: %j', (field, command) => {
    expect(() => checkCommand(command)).toThrow(
      expect.objectContaining({ code: 'VALIDATION_ERROR', details: [expect.objectContaining({ field })] }) as Error,
    );
  });
});
