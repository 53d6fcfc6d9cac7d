import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatWiring, readWiring } from '@domain/assembly';
import { type INestApplicationContext } from '@nestjs/common';
import { type Platform, startPlatform } from '../harness';
import { CommandLine } from './command-line';

const PAGE = join(__dirname, '../../docs/reference/wiring.md');

describe('the operator’s list of what calls what', () => {
  let platform: Platform;
  let cli: CommandLine;

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
    cli = CommandLine.sharing(platform, ['wiring']);
  });
  afterAll(async () => {
    await cli.close();
    await platform.close();
  });

  const textOf = (app: INestApplicationContext) =>
    formatWiring(readWiring((service) => app.get(service, { strict: false })));

  it('is the page of the documentation, in the commands, the API and the worker alike', async () => {
    const { status, stdout } = await cli.run([]);
    expect(status).toBe(0);
    expect(readFileSync(PAGE, 'utf8')).toContain(`\`\`\`text\n${stdout}\`\`\`\n`);
    expect(stdout).toBe(`${textOf(platform.app)}\n`);
    expect(stdout).toBe(`${textOf(platform.worker!)}\n`);
  });

  it('names the listeners of each hook point, and is JSON for programs', async () => {
    const wiring = await cli.json<ReturnType<typeof readWiring>>();
    expect(wiring.hooks.find(({ name }) => name === 'lead-verifier')?.listeners).toEqual([
      { listener: 'LeadVerificationJobService', module: 'EmailVerificationModule', key: null, events: null },
    ]);
    const bounces = wiring.hooks
      .find(({ name }) => name === 'events')
      ?.listeners.find(({ key }) => key === 'bounce-tallies');
    expect(bounces?.events).toEqual(['campaign.resumed', 'campaign.started', 'email.bounced', 'email.sent']);
    expect(wiring.queues.find(({ name }) => name === 'mail-intake')?.processor).toBe('MailIntakeProcessor');
    expect(wiring.periodicTasks).toContainEqual({
      name: 'campaign-erasure',
      interval: { everyMs: 60_000 },
      service: 'CampaignsService',
    });
    expect(wiring.sweeps).toContainEqual({ name: 'mail-intake', service: 'MailIntakeService' });
  });
});
