import { type ActiveMaintenance, type MaintenanceModeService } from '@platform/maintenance';
import { type HealthService, type LogService } from '@platform/observability';
import { MaintenanceGateService } from './maintenance-gate.service';

const HELD: ActiveMaintenance = { state: 'active', backupAt: new Date(0), since: new Date(1) };

describe('MaintenanceGateService', () => {
  let current: ActiveMaintenance | null | Error;
  let begun: number;
  let start: MaintenanceGateService;
  let hasEnded: boolean;

  beforeEach(() => {
    [current, begun, hasEnded] = [null, 0, false];
    const maintenance = {
      current: () => (current instanceof Error ? Promise.reject(current) : Promise.resolve(current)),
    };
    const log = { info: () => undefined, warn: () => undefined };
    const health = { register: () => undefined };
    start = new MaintenanceGateService(
      maintenance as unknown as MaintenanceModeService,
      health as unknown as HealthService,
      log as unknown as LogService,
    );
    void start.onMaintenance.then(() => {
      hasEnded = true;
    });
  });

  const begin = () => start.whenAllowed(() => (begun += 1), { polling: false });
  const seen = async (what: typeof current) => {
    current = what;
    await start.poll();
    await Promise.resolve();
    return { begun, hasEnded };
  };

  it('starts once and at once without maintenance mode', async () => {
    await begin();
    expect(await seen(null)).toEqual({ begun: 1, hasEnded: false });
  });

  it('waits during maintenance mode and starts afterwards', async () => {
    current = HELD;
    await begin();
    expect(await seen(HELD)).toEqual({ begun: 0, hasEnded: false });
    expect(await seen(new Error('The database is away'))).toEqual({ begun: 0, hasEnded: false });
    expect(await seen(null)).toEqual({ begun: 1, hasEnded: false });
  });

  it.each(['restoring', 'active'] as const)('stops the worker when the database enters the state %s', async (state) => {
    await begin();
    expect(await seen(new Error('The database is away'))).toEqual({ begun: 1, hasEnded: false });
    expect(await seen({ ...HELD, state })).toEqual({ begun: 1, hasEnded: true });
  });

  it('neither starts nor stops anything after it was closed', async () => {
    current = HELD;
    await begin();
    start.onModuleDestroy();
    expect(await seen(HELD)).toEqual({ begun: 0, hasEnded: false });
    expect(await seen(null)).toEqual({ begun: 0, hasEnded: false });
  });
});
