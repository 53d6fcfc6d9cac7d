import { type Agents } from './agents';
import { dataOf } from '../workspaces/people';

export interface AgentReply {
  _id: string;
  agentId: string;
  conversationId: string;
  state: string;
  cause: string | null;
  text: string | null;
  replyId: string | null;
  [field: string]: unknown;
}

/** Agent replies of a workspace, through the API. */
export class AgentReplies {
  constructor(private readonly agents: Pick<Agents, 'api'>) {}

  async list(query = ''): Promise<AgentReply[]> {
    return dataOf<AgentReply[]>(await this.agents.api.get(`/v1/agents/replies?${query}`).expect(200));
  }

  get(id: string) {
    return this.agents.api.get(`/v1/agents/replies/${id}`);
  }

  edit(id: string, body: object) {
    return this.agents.api.patch(`/v1/agents/replies/${id}`).send(body);
  }

  approve(id: string) {
    return this.agents.api.post(`/v1/agents/replies/${id}/approve`);
  }

  reject(id: string, body: object = {}) {
    return this.agents.api.post(`/v1/agents/replies/${id}/reject`).send(body);
  }
}
