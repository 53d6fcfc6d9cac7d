import { getModelToken } from '@nestjs/mongoose';
import { type Model } from 'mongoose';
import { type Platform } from '../harness';

/** A website of two pages that an agent has read. */
export async function makeTraining(platform: Platform, workspaceId: string, agentId: string): Promise<void> {
  const model = (name: string) => platform.app.get<Model<object>>(getModelToken(name), { strict: false });
  const of = { workspaceId, agentId };
  const ended = { status: 'completed', open: false, isCurrent: true, read: 2, found: 2, isRead: true };
  const { _id: trainingId } = await model('AgentTrainingRecord').create({
    ...of,
    ...ended,
    url: 'https://acme.example/',
  });
  for (const [place, path] of ['', 'about'].entries()) {
    const said = { url: `https://acme.example/${path}`, status: 'read', title: 'Acme', text: 'Acme', characters: 4 };
    await model('AgentPageRecord').create({ ...of, trainingId, place, ...said });
  }
}
