import { EventSubscriberRegistry } from '@domain/events';
import { Types } from 'mongoose';
import { ChatConnectionRepository } from '../settings/chat-connection.repository';
import { ChatFixture } from '../testing/chat-fixture';
import { MAX_WAIT_MS } from './chat-message.repository';
import { ChatDeliveryService } from './chat-delivery.service';
import { MAX_RETRY_MS, POST_INTERVAL_MS } from './post-outcome';

const HOUR_MS = 3_600_000;

describe('the delivery of events to a chat', () => {
  let fixture: ChatFixture;
  beforeAll(async () => {
    fixture = await ChatFixture.open();
  });
  afterAll(() => fixture.close());
  afterEach(() => {
    fixture.slack.outage(null);
    fixture.slack.postsBeforeLimit = Number.POSITIVE_INFINITY;
  });

  it('posts each subscribed event once, in order, and no other events', async () => {
    const chat = await fixture.chat();
    const stranger = await fixture.chat();
    await chat.happens(3);
    await fixture.relay();
    await chat.run(HOUR_MS);
    const numbers = chat.said().map((text) => Number(/p(\d+)@/.exec(text)?.[1]));
    expect(numbers).toEqual([numbers[0], numbers[0]! + 1, numbers[0]! + 2]);
    expect(await chat.states()).toEqual(['posted', 'posted', 'posted']);
    expect(stranger.said()).toEqual([]);
    expect(await stranger.log()).toEqual([]);
    expect((await chat.stored()).lastPostedAt).toBeInstanceOf(Date);
    expect(await chat.nextAt()).toBeNull();
  });

  it('creates one message of an event, even when two relays handle it at the same time', async () => {
    const chat = await fixture.chat();
    await fixture.happen(chat.workspaceId, 2);
    await Promise.all([fixture.relay(), fixture.relay()]);
    const events = await fixture.eventsOf(chat.workspaceId, 'email.replied');
    await fixture.get(EventSubscriberRegistry).handle(events);
    expect(await chat.log()).toHaveLength(2);
  });

  it('keeps one second between two posts', async () => {
    const chat = await fixture.chat();
    await chat.happens(2);
    await chat.runPartition();
    await chat.runPartition();
    expect(chat.said()).toHaveLength(1);
    const { cooldownUntil, lastPostedAt } = await chat.stored();
    expect(await chat.nextAt()).toEqual(cooldownUntil);
    expect(cooldownUntil!.getTime() - lastPostedAt!.getTime()).toBeGreaterThanOrEqual(POST_INTERVAL_MS);
  });

  it('delivers the messages of a chat with one worker at a time', async () => {
    const chat = await fixture.chat();
    await chat.happens(1);
    await Promise.all([chat.runPartition(), chat.runPartition(), chat.runPartition()]);
    expect(chat.said()).toHaveLength(1);
    expect(await chat.states()).toEqual(['posted']);
  });

  it('combines many waiting events in one message', async () => {
    const chat = await fixture.chat();
    await chat.happens(30);
    await chat.run(HOUR_MS);
    expect(chat.said()).toEqual(['30 things happened: 30 replies']);
    expect(new Set((await chat.log()).map(({ postId }) => String(postId))).size).toBe(1);
    expect(chat.lastPost()).toContain('and 10 more');
  });

  it('posts a digest at its time, once', async () => {
    const chat = await fixture.chat({ mode: 'digest', everyMinutes: 60 });
    await chat.happens(2);
    await chat.happens(1, 'campaign.completed');
    await chat.runPartition();
    expect(chat.said()).toEqual([]);
    expect((await chat.log()).map(({ dueAt }) => dueAt!.getTime() % HOUR_MS)).toEqual([0, 0, 0]);
    await chat.run(HOUR_MS);
    expect(chat.said()).toEqual(['3 things happened: 2 replies, 1 campaign completed']);
  });

  it('applies a changed schedule to waiting messages', async () => {
    const chat = await fixture.chat({ mode: 'digest', timeOfDay: '09:00', timezone: 'Europe/Berlin' });
    await chat.happens(2);
    await chat.set({ events: ['email.replied'] });
    await chat.run(HOUR_MS);
    expect(chat.said()).toHaveLength(2);
  });

  it('waits as long as repeated 429 responses require, loses nothing and keeps the order', async () => {
    const chat = await fixture.chat();
    await chat.happens(3);
    fixture.slack.postsBeforeLimit = 1;
    await chat.runPartition();
    fixture.clock.advance(POST_INTERVAL_MS);
    await chat.runPartition();
    const wait = (await chat.nextAt())!.getTime() - fixture.clock.now().getTime();
    // The test clock also advances without explicit calls.
    expect(wait).toBeGreaterThanOrEqual(29_000);
    expect(wait).toBeLessThanOrEqual(36_000);
    expect((await chat.log())[1]).toMatchObject({ state: 'waiting', attempts: 1, reason: 'rate_limited' });
    expect(await fixture.get(ChatConnectionRepository).status(String(chat.workspaceId))).toMatchObject({
      connected: true,
    });
    fixture.slack.postsBeforeLimit = Number.POSITIVE_INFINITY;
    await chat.run(HOUR_MS);
    expect(chat.said()).toEqual(
      [...chat.said()].toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })),
    );
    expect(await chat.states()).toEqual(['posted', 'posted', 'posted']);
  });

  it('continues after an hour without an answer from the chat', async () => {
    const chat = await fixture.chat();
    await chat.happens(2);
    fixture.slack.outage({ status: 503, word: 'service_unavailable' });
    await chat.run(HOUR_MS);
    expect(await chat.states()).toEqual(['waiting', 'waiting']);
    fixture.slack.outage(null);
    await chat.run(2 * HOUR_MS);
    expect(await chat.states()).toEqual(['posted', 'posted']);
    expect(await chat.stored()).toMatchObject({ status: 'connected', lastError: null, failures: 0 });
  });

  it('gives up a message after a day of failures and posts the next one', async () => {
    const chat = await fixture.chat();
    await chat.happens(1);
    fixture.slack.outage({ status: 503, word: 'service_unavailable' });
    await chat.run(MAX_RETRY_MS + 2 * HOUR_MS);
    expect((await chat.log())[0]).toMatchObject({ state: 'failed', reason: 'service_unavailable' });
    fixture.slack.outage(null);
    await chat.happens(1);
    await chat.run(2 * HOUR_MS);
    expect(await chat.states()).toEqual(['failed', 'posted']);
  });

  it('does not repeat a post that may have arrived, and mentions it in the next message', async () => {
    const chat = await fixture.chat();
    await chat.happens(2);
    fixture.slack.next('kept but cut');
    await chat.runPartition();
    expect((await chat.log())[0]).toMatchObject({ state: 'unknown' });
    await chat.run(HOUR_MS);
    await chat.happens(1);
    await chat.run(HOUR_MS);
    expect(chat.said()).toHaveLength(3);
    expect(await chat.states()).toEqual(['unknown', 'posted', 'posted']);
    const said = fixture.slack.posts.slice(-2).map(({ blocks }) => JSON.stringify(blocks));
    expect(said[0]).toContain('did not confirm one earlier message (1 reply)');
    expect(said[1]).not.toContain('did not confirm');
  });

  it('loses at most one message in each wait while responses get lost', async () => {
    const chat = await fixture.chat();
    await chat.happens(4);
    fixture.slack.outage('kept but cut');
    await chat.runPartition();
    await chat.runPartition();
    await chat.runPartition();
    expect(await chat.states()).toEqual(['unknown', 'waiting', 'waiting', 'waiting']);
  });

  it('marks a post that a crashed worker left behind as unknown, and does not repeat it', async () => {
    const chat = await fixture.chat();
    await chat.happens(1);
    await fixture.messages.updateOne({ workspaceId: chat.workspaceId }, { $set: { state: 'posting' } });
    await chat.runPartition();
    expect(chat.said()).toEqual([]);
    expect((await chat.log())[0]).toMatchObject({ state: 'unknown', reason: 'interrupted' });
    expect(await chat.nextAt()).toBeNull();
  });

  it('starts no post after the abort signal', async () => {
    const chat = await fixture.chat();
    await chat.happens(1);
    await chat.runPartition(AbortSignal.abort());
    expect(chat.said()).toEqual([]);
    expect(await chat.states()).toEqual(['waiting']);
    await chat.runPartition();
    expect(chat.said()).toHaveLength(1);
  });

  it('gives up a message that the chat refuses, and continues with the next one', async () => {
    const chat = await fixture.chat();
    await chat.happens(2);
    fixture.slack.next({ status: 400, word: 'invalid_blocks' });
    await chat.run(HOUR_MS);
    expect((await chat.log()).map(({ state, reason }) => [state, reason])).toEqual([
      ['failed', 'invalid_blocks'],
      ['posted', null],
    ]);
  });

  it('disconnects once when access is revoked, and posts waiting events together after a new connection', async () => {
    const chat = await fixture.chat();
    await chat.happens(2);
    fixture.slack.revoke(chat.webhookUrl);
    await chat.run(HOUR_MS);
    expect(await chat.stored()).toMatchObject({ status: 'disconnected', lastError: { code: 'no_service' } });
    expect(await fixture.get(ChatConnectionRepository).status(String(chat.workspaceId))).toEqual({
      connected: false,
      teamName: '',
    });
    const events = await fixture.eventsOf(chat.workspaceId, 'integration.disconnected');
    expect(events.map(({ data }) => data)).toEqual([
      { name: 'slack', code: 'CHAT_NOT_USABLE', reason: 'Slack answered no_service' },
    ]);
    await chat.happens(1);
    await chat.run(HOUR_MS);
    expect(await chat.states()).toEqual(['waiting', 'waiting', 'waiting']);
    const calls = fixture.slack.calls.length;
    await chat.runPartition();
    expect(fixture.slack.calls).toHaveLength(calls);

    const webhookUrl = fixture.slack.webhook();
    await chat.set({ webhookUrl, events: ['email.replied'] });
    await chat.run(HOUR_MS);
    expect(await chat.states()).toEqual(['posted', 'posted', 'posted']);
    expect(fixture.slack.posts.at(-1)?.text).toBe('3 things happened: 3 replies');
  });

  it('keeps waiting messages for seven days at most', async () => {
    const chat = await fixture.chat();
    await chat.happens(1);
    await chat.set({ events: ['email.replied'], enabled: false });
    await chat.runPartition();
    expect((await chat.nextAt())?.getTime()).toBe((await chat.log())[0]!.createdAt.getTime() + MAX_WAIT_MS);
    fixture.clock.advance(MAX_WAIT_MS);
    await chat.runPartition();
    expect((await chat.log())[0]).toMatchObject({ state: 'failed', reason: 'held_too_long' });
    expect(await chat.nextAt()).toBeNull();
  });

  it('posts no events from the time while it was disabled', async () => {
    const chat = await fixture.chat({ enabled: false });
    await chat.happens(2);
    await chat.set({ events: ['email.replied'] });
    await chat.run(HOUR_MS);
    expect(await chat.log()).toEqual([]);
  });

  it('pauses for a deleted workspace and continues after its restoration', async () => {
    const chat = await fixture.chat();
    await chat.happens(1);
    fixture.deleted.add(String(chat.workspaceId));
    await chat.runPartition();
    expect(chat.said()).toEqual([]);
    fixture.deleted.clear();
    await chat.run(HOUR_MS);
    expect(chat.said()).toHaveLength(1);
  });

  it('leaves no records of a connection that was removed during the relay', async () => {
    const chat = await fixture.chat();
    await chat.happens(1);
    const { _id } = await chat.stored();
    await fixture.connections.deleteOne({ _id, workspaceId: chat.workspaceId });
    const partition = { workspaceId: String(chat.workspaceId), partitionId: _id.toHexString() };
    await fixture.get(ChatDeliveryService).run(partition, new AbortController().signal);
    expect(chat.said()).toEqual([]);
    expect(await chat.log()).toEqual([]);
    expect(await fixture.partitionRecords.exists({ _id, workspaceId: chat.workspaceId })).toBeNull();
  });

  it('enqueues due work again after Redis was emptied, except under a lease', async () => {
    const chat = await fixture.chat();
    const { partitions } = chat;
    await partitions.sweep();
    const planned = () => ({
      workspaceId: chat.workspaceId,
      connectionId: new Types.ObjectId(),
      at: fixture.clock.in(-60_000),
    });
    const held = planned();
    await partitions.schedule([held, planned(), planned(), { ...planned(), at: fixture.clock.in(60_000) }]);
    await partitions.acquire(held.connectionId.toHexString());
    expect(await partitions.sweep()).toBe(2);
    expect(await partitions.sweep()).toBe(0);
  });
});
