import { accepts, answers, TestReceiver } from '../../libs/domain/webhooks/testing';
import { type Platform, type SeededWorkspace, startPlatform } from '../harness';
import { Hook } from '../webhooks/webhooks';
import { recordsOf } from '../webhooks/webhook-records';
import { CommandLine } from './command-line';

interface Entry {
  action: string;
  actor: { kind: string };
  target: { id: string };
}

describe('the operator’s commands for webhooks', () => {
  let platform: Platform;
  let workspace: SeededWorkspace;
  let receiver: TestReceiver;
  let hook: Hook;
  let cli: CommandLine;

  beforeAll(async () => {
    platform = await startPlatform({ worker: true });
    cli = CommandLine.sharing(platform, ['webhooks']);
    receiver = await TestReceiver.start();
  });
  afterAll(async () => {
    await cli.close();
    await platform.close();
    await receiver.close();
  });
  it.each([
    ['an unknown webhook', ['deliveries', '0'.repeat(24)], 'NOT_FOUND: Webhook not found'],
    ['a malformed id', ['disable', 'x'], 'NOT_FOUND: Webhook not found'],
    ['an unknown delivery', ['redeliver', '0'.repeat(24)], 'NOT_FOUND: Delivery not found'],
    ['an unknown workspace', ['list', '--workspace', 'x'], 'NOT_FOUND: Workspace not found'],
    [
      'an invalid state',
      ['deliveries', 'x', '--state', 'lost'],
      'VALIDATION_ERROR: state must be one of pending, delivered, failed',
    ],
    ['a limit of zero', ['deliveries', 'x', '--limit', '0'], 'VALIDATION_ERROR: limit must'],
    ['no argument', ['redeliver'], "missing required argument 'deliveryId'"],
  ])('refuse %s in one line', async (_name, args, message) => {
    const { status, stdout, stderr } = await cli.run(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/\n\s+at /);
  });

  describe('with existing webhooks', () => {
    beforeEach(async () => {
      workspace = await platform.seed.workspace();
      hook = await Hook.make(platform, workspace, { url: `${receiver.url}?token=canary-in-url`, retryAttempts: 0 });
      receiver.received.length = 0;
      receiver.answer = accepts;
    });

    /** The operator’s actions on the webhook, latest first. */
    const audited = async (): Promise<string[]> => {
      const { body } = await platform.api.as(workspace.owner.key).in(workspace.workspaceId).get('/v1/audit');
      return (body as { data: Entry[] }).data
        .filter(({ actor, target }) => actor.kind === 'operator' && target.id === hook.made._id)
        .map(({ action }) => action);
    };

    it('list the webhooks of all workspaces or of one, without secrets', async () => {
      const of = ['list', '--workspace', workspace.workspaceId];
      const { stdout } = await cli.run(of);
      expect(stdout).toContain(`webhookId: ${hook.made._id}\nworkspaceId: ${workspace.workspaceId}\nname: CRM\n`);
      expect(stdout).not.toMatch(/whsec_|canary/);
      const all = await cli.json<{ webhookId: string }[]>('list', '--limit', '1');
      expect(all).toEqual(await cli.json(...of));
      expect(all).toEqual([
        expect.objectContaining({ webhookId: hook.made._id, origin: new URL(receiver.url).origin, status: 'active' }),
      ]);
    });

    it('show the deliveries of a webhook, and repeat a failed one', async () => {
      receiver.next.push(answers(500));
      await hook.happen(2);
      await hook.deliver();
      const failed = await cli.json<{ _id: string; state: string }[]>('deliveries', hook.made._id, '--state', 'failed');
      expect(failed).toMatchObject([{ state: 'failed', attemptCount: 1, lastStatus: 500 }]);
      const again = await cli.json<object>('redeliver', failed[0]!._id);
      expect(again).toMatchObject({ _id: failed[0]!._id, redeliveryRequestedAt: expect.any(String) as string });
      await platform.drain();
      expect(receiver.received).toHaveLength(3);
      expect(await hook.stats()).toMatchObject({ totalDelivered: 2, totalFailed: 0 });
      expect(await cli.json('deliveries', hook.made._id, '--state', 'failed', '--limit', '1')).toEqual([]);
      expect(await audited()).toEqual(['webhook.redelivered']);
    });

    it('disable and enable a webhook', async () => {
      expect(await cli.json('disable', hook.made._id)).toMatchObject({ status: 'inactive', disabledReason: 'person' });
      await hook.happen();
      await hook.deliver();
      expect((await hook.read()).status).toBe('inactive');
      const { stdout } = await cli.run(['enable', hook.made._id]);
      expect(stdout).toContain('status: active\ndisabledAt: null\n');
      expect(stdout).not.toMatch(/whsec_|canary/);
      await hook.happen();
      await hook.deliver();
      expect(receiver.received).toHaveLength(1);
      expect(await audited()).toEqual(['webhook.updated', 'webhook.updated']);
    });

    it('compare the figures with the log; with the check option they fail on a difference', async () => {
      await hook.happen(2);
      await hook.deliver();
      const args = ['stats', 'rebuild', '--workspace', workspace.workspaceId];
      expect(await cli.json(...args, '--check')).toEqual({ webhooks: 1, exact: 1, differences: [] });
      const { _id, workspaceId } = hook.made;
      const wrong = { $set: { 'stats.totalDelivered': 9 } };
      await recordsOf(platform, 'WebhookRecord').updateOne({ _id, workspaceId }, wrong, { timestamps: false });
      const differences = [{ workspaceId, webhookId: _id, figure: 'totalDelivered', is: 9, shouldBe: 2 }];
      const checked = await cli.run([...args, '--check', '--json']);
      expect([checked.status, JSON.parse(checked.stdout)]).toEqual([1, { webhooks: 1, exact: 1, differences }]);
      expect(await cli.json<{ differences: object[] }>('stats', 'rebuild')).toMatchObject({ differences });
      expect((await hook.stats()).totalDelivered).toBe(2);
    });

    it('refuse to redeliver to an inactive webhook', async () => {
      await hook.happen();
      await hook.deliver();
      const [delivery] = await hook.deliveries();
      await hook.update({ status: 'inactive' });
      const { status, stderr } = await cli.run(['redeliver', delivery!._id]);
      expect([status, stderr]).toEqual([1, expect.stringContaining('CONFLICT: The webhook is inactive')]);
    });
  });
});
