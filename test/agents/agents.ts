import { type Platform, type SeededWorkspace } from '../harness';
import { dataOf } from '../workspaces/people';

export interface Agent {
  _id: string;
  userId: string;
  workspaceId: string;
  name: string;
  companyInfo: { name: string; description: string; domain: string };
  persona: { tone: string; role: string; communicationStyle: string; customInstructions: string };
  isDefault: boolean;
  isActive: boolean;
  createdAt: string;
  updatedAt: string;
}

export interface AgentDetails {
  agentId: string;
  website: string | null;
  autonomousMode: {
    enabled: boolean;
    labels: string[];
    delayMinutes: number;
    dailyLimit: number;
    approval: 'required' | 'auto';
    workingHours: { timezone: string; startTime: string; endTime: string; workingDays: number[] } | null;
    stopWords: string[];
  };
  followupSettings: { enabled: boolean; maxFollowups: number; delayDays: number };
  training: { status: string; completedAt: string | null } | null;
}

export interface Balance {
  balance: number;
  reserved: number;
}

/** Credits that an agent costs. */
export const COST = 10;

export const HOURS = { timezone: 'Europe/Berlin', startTime: '09:00', endTime: '17:00', workingDays: [1, 2, 3] };

/** The agents of a workspace, through the API with one key. */
export class Agents {
  constructor(
    private readonly platform: Platform,
    readonly workspace: SeededWorkspace,
  ) {}

  static async of(platform: Platform, credits = 100): Promise<Agents> {
    return new Agents(platform, await platform.seed.workspace({ credits }));
  }

  get api() {
    return this.platform.api.as(this.workspace.key);
  }

  post(body: object) {
    return this.api.post('/v1/agents').send(body);
  }

  patch(id: string, body: object) {
    return this.api.patch(`/v1/agents/${id}`).send(body);
  }

  async make(body: object = {}): Promise<Agent> {
    return dataOf<Agent>(await this.post({ name: 'Iris', ...body }).expect(201));
  }

  async update(id: string, body: object): Promise<Agent> {
    return dataOf<Agent>(await this.patch(id, body).expect(200));
  }

  async delete(id: string): Promise<void> {
    await this.api.delete(`/v1/agents/${id}`).expect(200);
  }

  async read(id: string): Promise<Agent> {
    return dataOf<Agent>(await this.api.get(`/v1/agents/${id}`).expect(200));
  }

  async details(id: string): Promise<AgentDetails> {
    return dataOf<AgentDetails>(await this.api.get(`/v1/agents/${id}/details`).expect(200));
  }

  async list(query = ''): Promise<Agent[]> {
    return dataOf<Agent[]>(await this.api.get(`/v1/agents?${query}`).expect(200));
  }

  /** Ids of the default agents: at most one. */
  async defaults(): Promise<string[]> {
    return (await this.list('limit=100')).filter(({ isDefault }) => isDefault).map(({ _id }) => _id);
  }

  async balance(): Promise<number> {
    return dataOf<Balance>(await this.api.get('/v1/credits/balance').expect(200)).balance;
  }
}
