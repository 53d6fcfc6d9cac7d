import { systemScope } from '@domain/access';
import { TestReceiver } from './testing/test-receiver';
import { WebhooksFixture } from './testing/webhooks-fixture';
import { WebhookReplayService } from './webhook-replay.service';
import { WebhookDeliveriesService } from './webhook-deliveries.service';
import { WebhookReplayRecord } from './schemas/webhook-replay.record';

describe('an erased delivery', () => {
  let fixture: WebhooksFixture;
  let receiver: TestReceiver;

  beforeAll(async () => {
    fixture = await WebhooksFixture.open();
    receiver = await TestReceiver.start();
  });
  afterAll(async () => {
    await receiver.close();
    await fixture.close();
  });

  it('is never sent again, neither by hand nor by a replay', async () => {
    const webhook = await fixture.webhook(receiver.url);
    const { workspaceId, _id: webhookId } = webhook;
    const [, other] = await fixture.recordEvents(workspaceId, 2);
    await fixture.relay();
    await fixture.deliver(webhook);
    const [erased] = await fixture.log(webhook);
    await fixture.deliveries.updateOne({ _id: erased!._id, workspaceId }, { $set: { body: '', attempts: [] } });

    const workspace = systemScope(workspaceId.toHexString());
    const [id, deliveryId] = [webhookId.toHexString(), erased!._id.toHexString()];
    const asked = fixture.get(WebhookDeliveriesService).redeliver(workspace, id, deliveryId);
    await expect(asked).rejects.toThrow('was erased');

    const [from, to] = [fixture.clock.in(-60_000).toISOString(), fixture.clock.now().toISOString()];
    await fixture.get(WebhookReplayService).start(workspace, id, { from, to, scope: 'all' });
    const replays = fixture.model<WebhookReplayRecord>(WebhookReplayRecord);
    const replay = await replays.findOne({ _id: webhookId, workspaceId }).lean<WebhookReplayRecord>();
    const payload = { workspaceId: workspace.workspaceId, webhookId: id, replayId: String(replay?.replayId) };
    await fixture.get(WebhookReplayService).run(payload, new AbortController().signal);
    await fixture.deliver(webhook);
    expect(receiver.ids.slice(2)).toEqual([other]);
  });
});
