#include "engine/comm/shm/mailboxes.h"

#include "engine/comm/message_header.h"

#include <algorithm>

namespace lockstep::comm {

namespace {

std::uint32_t waiting(const Mailbox& box)
{
    return box.written.load(std::memory_order_acquire) - box.read.load(std::memory_order_acquire);
}

/// Copies as much as fits; returns how much.
std::size_t put(Mailbox& box, const std::byte* from, std::size_t size)
{
    const std::uint32_t at = box.written.load(std::memory_order_relaxed);
    const std::size_t count = std::min(size, MailboxBytes - waiting(box));
    const std::size_t begin = at % MailboxBytes;
    const std::size_t first = std::min(count, MailboxBytes - begin);
    std::copy_n(from, first, box.bytes.data() + begin);
    std::copy_n(from + first, count - first, box.bytes.data());
    box.written.store(at + static_cast<std::uint32_t>(count), std::memory_order_seq_cst);
    return count;
}

std::size_t get(Mailbox& box, std::byte* to, std::size_t size)
{
    const std::uint32_t at = box.read.load(std::memory_order_relaxed);
    const std::size_t count = std::min<std::size_t>(size, waiting(box));
    const std::size_t begin = at % MailboxBytes;
    const std::size_t first = std::min(count, MailboxBytes - begin);
    std::copy_n(box.bytes.data() + begin, first, to);
    std::copy_n(box.bytes.data(), count - first, to + first);
    box.read.store(at + static_cast<std::uint32_t>(count), std::memory_order_seq_cst);
    return count;
}

/// One direction of an exchange.
class Sending {
public:
    Sending(Mailbox* box, const ConstView& view)
        : m_box(box)
        , m_header(headerOf(view))
        , m_bytes(view.bytes())
        , m_size(view.byteCount())
    { }

    [[nodiscard]] bool isDone() const { return m_box == nullptr || (m_hasHeader && m_sent == m_size); }
    [[nodiscard]] bool canMove() const
    {
        const std::size_t room = m_box == nullptr ? 0 : MailboxBytes - waiting(*m_box);
        return !isDone() && room >= (m_hasHeader ? 1 : sizeof(MessageHeader));
    }
    void move()
    {
        if (!m_hasHeader) {
            put(*m_box, reinterpret_cast<const std::byte*>(&m_header), sizeof(m_header));
            m_hasHeader = true;
        }
        m_sent += put(*m_box, m_bytes + m_sent, m_size - m_sent);
    }

private:
    Mailbox* m_box;
    MessageHeader m_header;
    const std::byte* m_bytes;
    std::size_t m_size;
    std::size_t m_sent = 0;
    bool m_hasHeader = false;
};

class Receiving {
public:
    /// From rank `from`, as rank `rank`.
    Receiving(Mailbox* box, const View& view, int from, int rank)
        : m_box(box)
        , m_view(view)
        , m_from(from)
        , m_rank(rank)
    { }

    [[nodiscard]] bool isDone() const { return m_box == nullptr || (m_hasHeader && m_got == m_view.byteCount()); }
    [[nodiscard]] bool canMove() const
    {
        return !isDone() && waiting(*m_box) >= (m_hasHeader ? 1 : sizeof(MessageHeader));
    }
    [[nodiscard]] Result<void> move()
    {
        if (!m_hasHeader) {
            MessageHeader header;
            get(*m_box, reinterpret_cast<std::byte*>(&header), sizeof(header));
            m_hasHeader = true;
            LOCKSTEP_TRY(requireFit(header, m_view, m_from, m_rank));
        }
        m_got += get(*m_box, m_view.bytes() + m_got, m_view.byteCount() - m_got);
        return {};
    }

private:
    Mailbox* m_box;
    View m_view;
    int m_from;
    int m_rank;
    std::size_t m_got = 0;
    bool m_hasHeader = false;
};

} // namespace

Result<void> exchange(Region& region, Meeting& meeting, int rank, const Operation& operation)
{
    const auto& [what, in, out, reduction, root, to, from] = operation;
    Sending sending(to >= 0 ? &region.mailbox(rank, to) : nullptr, in);
    Receiving receiving(from >= 0 ? &region.mailbox(from, rank) : nullptr, out, from, rank);
    while (!sending.isDone() || !receiving.isDone()) {
        if (sending.canMove()) {
            sending.move();
            meeting.ring(to);
        }
        if (receiving.canMove()) {
            if (auto moved = receiving.move(); !moved) {
                return meeting.breakGroup(moved.error());
            }
            meeting.ring(from);
        }
        if (sending.isDone() && receiving.isDone()) {
            break;
        }
        const int partner = receiving.isDone() ? to : from;
        const auto moved = meeting.await(what, partner, [&] { return sending.canMove() || receiving.canMove(); });
        if (!moved) {
            return moved;
        }
    }
    return meeting.state();
}

} // namespace lockstep::comm
