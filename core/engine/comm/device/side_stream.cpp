#include "engine/comm/device/side_stream.h"

#include <utility>

namespace lockstep::comm {

SideStream::SideStream(std::shared_ptr<Device> device, void* stream)
    : m_device(std::move(device))
    , m_stream(stream)
{ }

Result<std::unique_ptr<SideStream>> SideStream::open(std::shared_ptr<Device> device, void* stream, std::size_t inputs)
{
    std::unique_ptr<SideStream> side(new SideStream(std::move(device), stream));
    while (side->m_inputs.size() < inputs) {
        LOCKSTEP_TRY_ASSIGN(DeviceEvent* const event, side->m_device->createEvent(EventScope::ThisProcess));
        side->m_inputs.push_back(event);
    }
    return side;
}

SideStream::~SideStream()
{
    join();
    for (DeviceEvent* event : m_inputs) {
        m_device->destroyEvent(event);
    }
}

void SideStream::fork()
{
    join();
    m_other = m_device->stream();
    m_device->setStream(m_stream);
    m_isForked = true;
}

void SideStream::inputIsQueued(std::size_t input)
{
    m_device->recordOn(m_other, m_inputs[input]);
}

void SideStream::awaitInput(std::size_t input)
{
    m_device->wait(m_inputs[input]);
}

void SideStream::join()
{
    if (std::exchange(m_isForked, false)) {
        m_device->setStream(m_other);
    }
}

} // namespace lockstep::comm
