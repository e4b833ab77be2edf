/**
 * What the support desk starts from.
 */

export type TicketsData = {
  requesters: { requester_email: string; requester_name: string; organization: string; plan: string }[]
  agents: { agent_id: string; agent_name: string; team: string; open_tickets: number }[]
  tickets: {
    ticket_id: string
    subject: string
    state: string
    priority: string
    requester_email: string
    topic: string
    team: string
    assignee: string | null
    articles: string[]
    comments: { comment_id: string; message: string; visibility: string }[]
  }[]
  articles: { article_id: string; headline: string; topic: string; content: string }[]
}

export const ticketsData: TicketsData = {
  requesters: [
    {
      requester_email: 'lena@northwind-bikes.example',
      requester_name: 'Lena Osei',
      organization: 'Northwind Bikes',
      plan: 'business',
    },
    {
      requester_email: 'marco@casaverde.example',
      requester_name: 'Marco Bianchi',
      organization: 'Casa Verde',
      plan: 'starter',
    },
    {
      requester_email: 'yuki@harborlab.example',
      requester_name: 'Yuki Tanabe',
      organization: 'Harbor Lab',
      plan: 'enterprise',
    },
    {
      requester_email: 'sofia@pinestreet.example',
      requester_name: 'Sofia Marin',
      organization: 'Pine Street Books',
      plan: 'starter',
    },
  ],
  agents: [
    { agent_id: 'agent-ruth', agent_name: 'Ruth Adeyemi', team: 'billing', open_tickets: 2 },
    { agent_id: 'agent-piotr', agent_name: 'Piotr Zielinski', team: 'billing', open_tickets: 0 },
    { agent_id: 'agent-hana', agent_name: 'Hana Kim', team: 'product', open_tickets: 1 },
    { agent_id: 'agent-luis', agent_name: 'Luis Herrera', team: 'product', open_tickets: 3 },
  ],
  tickets: [
    {
      ticket_id: 'T-3301',
      subject: 'Charged twice in May',
      state: 'open',
      priority: 'normal',
      requester_email: 'lena@northwind-bikes.example',
      topic: 'invoices',
      team: 'billing',
      assignee: null,
      articles: [],
      comments: [],
    },
    {
      ticket_id: 'T-3302',
      subject: 'Export stops at 10,000 rows',
      state: 'open',
      priority: 'high',
      requester_email: 'yuki@harborlab.example',
      topic: 'exports',
      team: 'product',
      assignee: 'agent-hana',
      articles: [],
      comments: [{ comment_id: 'C-7001', message: 'We can see it on our side.', visibility: 'public' }],
    },
    {
      ticket_id: 'T-3303',
      subject: 'Cannot invite a colleague',
      state: 'pending',
      priority: 'low',
      requester_email: 'marco@casaverde.example',
      topic: 'accounts',
      team: 'product',
      assignee: 'agent-luis',
      articles: ['A-12'],
      comments: [],
    },
    {
      ticket_id: 'T-3304',
      subject: 'Invoice lacks our tax number',
      state: 'pending',
      priority: 'normal',
      requester_email: 'sofia@pinestreet.example',
      topic: 'invoices',
      team: 'billing',
      assignee: 'agent-ruth',
      articles: [],
      comments: [],
    },
    {
      ticket_id: 'T-3305',
      subject: 'How do I close my account?',
      state: 'solved',
      priority: 'low',
      requester_email: 'marco@casaverde.example',
      topic: 'accounts',
      team: 'product',
      assignee: 'agent-hana',
      articles: ['A-13'],
      comments: [],
    },
  ],
  articles: [
    {
      article_id: 'A-10',
      headline: 'Reading your invoice',
      topic: 'invoices',
      content: 'Each invoice lists the period, the seats and the tax.',
    },
    {
      article_id: 'A-11',
      headline: 'Large exports',
      topic: 'exports',
      content: 'Exports above 10,000 rows are sent by email as several files.',
    },
    {
      article_id: 'A-12',
      headline: 'Inviting colleagues',
      topic: 'accounts',
      content: 'Owners and admins can invite; others ask them.',
    },
    {
      article_id: 'A-13',
      headline: 'Closing an account',
      topic: 'accounts',
      content: 'An owner closes the account under Settings, Plan.',
    },
  ],
}
