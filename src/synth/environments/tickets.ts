/**
 * Support tickets: triage, answers, help articles.
 *
 * Reading a ticket names its requester, and opening one for that requester names a ticket that can be read: the tools
 * depend on each other in a ring, as they do in real help desks.
 */
import type { EnvironmentSource } from '../types.js'
import { choice, listOf, record, refuse, text, the, tool, whole } from './define.js'
import { type TicketsData, ticketsData } from './tickets-data.js'

const ticketId = text('Identifier of the ticket.')
const articleId = text('Identifier of the help article.')
const requesterEmail = text('Email address of who asked.')
const topics = ['invoices', 'exports', 'accounts']
const priorities = ['low', 'normal', 'high', 'urgent']
const hours: Readonly<Record<string, number>> = { low: 72, normal: 24, high: 8, urgent: 2 }

type Ticket = TicketsData['tickets'][number]

/** The ticket, where work on it is not over. */
function unsolved({ tickets }: TicketsData, ticket_id: string): Ticket {
  const ticket = the(tickets, 'ticket_id', ticket_id, 'ticket')
  return ticket.state === 'solved' ? refuse(`Ticket ${ticket_id} is solved already.`) : ticket
}

export const tickets: EnvironmentSource = {
  name: 'support-tickets',
  description: 'A help desk: agents read, answer, assign and solve the tickets of customers.',
  database: ticketsData,
  tools: [
    tool<TicketsData, { in_state: string; at_least?: string }>(
      {
        name: 'ticket-list',
        description: 'List the tickets in a state.',
        kind: 'query',
        inputSchema: record(
          {
            in_state: choice('State of the tickets.', ['open', 'pending', 'solved']),
            at_least: choice('Leave out tickets of a lower priority.', priorities),
          },
          ['at_least'],
        ),
        outputSchema: record({
          tickets: listOf('Tickets, the oldest first.', { ticket_id: ticketId, headline: text('Subject.') }),
        }),
      },
      ({ tickets }, { in_state, at_least = 'low' }) => ({
        tickets: tickets
          .filter(({ state, priority }) => state === in_state && hours[priority]! <= hours[at_least]!)
          .map(({ ticket_id, subject }) => ({ ticket_id, headline: subject })),
      }),
    ),
    tool<TicketsData, { ticket_id: string }>(
      {
        name: 'ticket-read',
        description: 'Read a ticket.',
        kind: 'query',
        inputSchema: record({ ticket_id: ticketId }),
        outputSchema: record({
          requester_email: requesterEmail,
          topic: choice('What it is about.', topics),
          team: choice('Who answers such tickets.', ['billing', 'product']),
          current_priority: choice('How urgent it is.', priorities),
          comments: whole('Number of comments.'),
        }),
      },
      (database, { ticket_id }) => {
        const ticket = the(database.tickets, 'ticket_id', ticket_id, 'ticket')
        const { requester_email, topic, team, priority, comments } = ticket
        return { requester_email, topic, team, current_priority: priority, comments: comments.length }
      },
    ),
    tool<TicketsData, { requester_email: string }>(
      {
        name: 'requester-lookup',
        description: 'Look up who asked.',
        kind: 'query',
        inputSchema: record({ requester_email: requesterEmail }),
        outputSchema: record({
          requester_name: text('Name of the person.'),
          organization: text('Name of the customer.'),
          plan: choice('What the customer pays for.', ['starter', 'business', 'enterprise']),
        }),
      },
      ({ requesters }, { requester_email }) => {
        const found = the(requesters, 'requester_email', requester_email, 'requester')
        return { requester_name: found.requester_name, organization: found.organization, plan: found.plan }
      },
    ),
    tool<TicketsData, { requester_email: string; subject: string; topic: string }>(
      {
        name: 'ticket-open',
        description: 'Open another ticket for a requester.',
        kind: 'update',
        after: ['ticket-list', 'requester-lookup'],
        inputSchema: record({
          requester_email: requesterEmail,
          subject: text('One line on the problem.', {
            minLength: 3,
            examples: ['Please call us back', 'Question about the next renewal'],
          }),
          topic: choice('What it is about.', topics),
        }),
        outputSchema: record({ ticket_id: ticketId, due_in_hours: whole('Time to the first answer.') }),
      },
      ({ requesters, tickets }, { requester_email, subject, topic }, { newId }) => {
        the(requesters, 'requester_email', requester_email, 'requester')
        const ticket_id = newId('T')
        tickets.push({
          ticket_id,
          subject,
          state: 'open',
          priority: 'normal',
          requester_email,
          topic,
          team: topic === 'invoices' ? 'billing' : 'product',
          assignee: null,
          articles: [],
          comments: [],
        })
        return { ticket_id, due_in_hours: hours.normal! }
      },
    ),
    tool<TicketsData, { topic: string }>(
      {
        name: 'article-search',
        description: 'Search help articles on a topic.',
        kind: 'query',
        inputSchema: record({ topic: choice('What they are about.', topics) }),
        outputSchema: record({
          articles: listOf('Articles on the topic.', {
            article_id: articleId,
            headline: text('Title of the article.'),
          }),
        }),
      },
      ({ articles }, { topic }) => ({
        articles: articles
          .filter((one) => one.topic === topic)
          .map(({ article_id, headline }) => ({ article_id, headline })),
      }),
    ),
    tool<TicketsData, { article_id: string }>(
      {
        name: 'article-read',
        description: 'Read a help article.',
        kind: 'query',
        inputSchema: record({ article_id: articleId }),
        outputSchema: record({ content: text('Text of the article.') }),
      },
      ({ articles }, { article_id }) => ({
        content: the(articles, 'article_id', article_id, 'article').content,
      }),
    ),
    tool<TicketsData, { team: string }>(
      {
        name: 'agent-list',
        description: 'List the agents of a team.',
        kind: 'query',
        inputSchema: record({ team: choice('Name of the team.', ['billing', 'product']) }),
        outputSchema: record({
          agents: listOf('Agents, the least busy first.', {
            agent_id: text('Identifier of the agent.'),
            agent_name: text('Name of the agent.'),
            open_tickets: whole('Tickets the agent works on.'),
          }),
        }),
      },
      ({ agents }, { team }) => ({
        agents: agents
          .filter((one) => one.team === team)
          .sort((a, b) => a.open_tickets - b.open_tickets)
          .map(({ agent_id, agent_name, open_tickets }) => ({ agent_id, agent_name, open_tickets })),
      }),
    ),
    tool<TicketsData, { ticket_id: string; agent_id: string }>(
      {
        name: 'ticket-assign',
        description: 'Assign a ticket to an agent.',
        kind: 'update',
        inputSchema: record({ ticket_id: ticketId, agent_id: text('Identifier of the agent.') }),
        outputSchema: record({ agent_open_tickets: whole('Tickets the agent works on now.') }),
      },
      (database, { ticket_id, agent_id }) => {
        const ticket = unsolved(database, ticket_id)
        const agent = the(database.agents, 'agent_id', agent_id, 'agent')
        if (ticket.assignee === agent_id) refuse(`Ticket ${ticket_id} is with ${agent_id} already.`)
        const before = database.agents.find((one) => one.agent_id === ticket.assignee)
        if (before !== undefined) before.open_tickets -= 1
        ticket.assignee = agent_id
        agent.open_tickets += 1
        return { agent_open_tickets: agent.open_tickets }
      },
    ),
    tool<TicketsData, { ticket_id: string; new_priority: string }>(
      {
        name: 'ticket-prioritize',
        description: 'Set the priority of a ticket.',
        kind: 'update',
        after: ['requester-lookup'],
        inputSchema: record({ ticket_id: ticketId, new_priority: choice('How urgent it is.', priorities) }),
        outputSchema: record({ due_in_hours: whole('Time to the next answer.') }),
      },
      (database, { ticket_id, new_priority }) => {
        const ticket = unsolved(database, ticket_id)
        if (ticket.priority === new_priority)
          refuse(`The priority of ${ticket_id} is ${new_priority} already.`)
        ticket.priority = new_priority
        return { due_in_hours: hours[new_priority]! }
      },
    ),
    tool<TicketsData, { ticket_id: string; article_id: string }>(
      {
        name: 'ticket-link-article',
        description: 'Link a help article to a ticket.',
        kind: 'update',
        after: ['article-read'],
        inputSchema: record({ ticket_id: ticketId, article_id: articleId }),
        outputSchema: record({ linked_articles: whole('Articles linked to the ticket.') }),
      },
      (database, { ticket_id, article_id }) => {
        const { articles } = unsolved(database, ticket_id)
        the(database.articles, 'article_id', article_id, 'article')
        if (articles.includes(article_id)) refuse(`Article ${article_id} is linked already.`)
        articles.push(article_id)
        return { linked_articles: articles.length }
      },
    ),
    tool<TicketsData, { ticket_id: string; message: string; visibility?: string }>(
      {
        name: 'ticket-comment',
        description: 'Write a comment on a ticket.',
        kind: 'update',
        after: ['ticket-assign', 'ticket-link-article'],
        inputSchema: record(
          {
            ticket_id: ticketId,
            message: text('Text of the comment.', {
              minLength: 1,
              examples: [
                'Thank you for your patience.',
                'We are looking into it.',
                'Could you send a screenshot?',
              ],
            }),
            visibility: choice('Who can read it; public if not given.', ['public', 'internal']),
          },
          ['visibility'],
        ),
        outputSchema: record({
          comment_id: text('Identifier of the comment.'),
          written_at: text('Time of the comment.'),
        }),
      },
      (database, { ticket_id, message, visibility = 'public' }, { newId, now }) => {
        const ticket = unsolved(database, ticket_id)
        const comment_id = newId('C')
        ticket.comments.push({ comment_id, message, visibility })
        return { comment_id, written_at: now() }
      },
    ),
    tool<TicketsData, { ticket_id: string; resolution: string }>(
      {
        name: 'ticket-solve',
        description: 'Mark a ticket as solved.',
        kind: 'update',
        after: ['ticket-prioritize', 'ticket-comment'],
        inputSchema: record({
          ticket_id: ticketId,
          resolution: choice('How it ended.', ['answered', 'fixed', 'duplicate']),
        }),
        outputSchema: record({ survey_id: text('Identifier of the survey sent.'), solved_at: text('Time.') }),
      },
      (database, { ticket_id, resolution }, { newId, now }) => {
        const ticket = unsolved(database, ticket_id)
        ticket.state = 'solved'
        const agent = database.agents.find((one) => one.agent_id === ticket.assignee)
        if (agent !== undefined) agent.open_tickets -= 1
        const comment_id = newId('C')
        ticket.comments.push({ comment_id, message: `Solved: ${resolution}`, visibility: 'internal' })
        return { survey_id: newId('survey'), solved_at: now() }
      },
    ),
  ],
}
