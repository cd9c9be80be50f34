// SPDX-License-Identifier: MIT
#include "gestured.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QQmlEngine>
#include <QQuickWindow>
#include <QSet>
#include <QSocketNotifier>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <gestured.h>
#include <utility>

Gestured::Gestured(QObject *parent) : QObject(parent) { schedule(); }

Gestured::~Gestured() {
    delete m_notifier;
    gestured_free(m_client);
}

Gestured *Gestured::of(const QObject *item) {
    QQmlEngine *engine = qmlEngine(item);
    return engine ? engine->singletonInstance<Gestured *>(qmlTypeId("Gestured", 1, 0, "Gestured")) : nullptr;
}

void Gestured::setSocket(const QString &socket) {
    if (socket == m_socket) return;
    m_socket = socket;
    emit socketChanged();
    if (m_client) disconnectFromDaemon();
    schedule();
}

void Gestured::setDevice(const QString &device) {
    if (device == m_device) return;
    m_device = device;
    emit deviceChanged();
    schedule();
}

void Gestured::setPrefix(const QString &prefix) {
    if (prefix == m_prefix) return;
    m_prefix = prefix;
    emit prefixChanged();
    schedule();
}

static void logMessage(void *, gestured_log_priority priority, const char *message) {
    if (priority == GESTURED_LOG_ERROR) qWarning("gestured: %s", message);
}

void Gestured::connectToDaemon() {
    if (m_client) return;
    m_client = gestured_new(m_socket.isEmpty() ? nullptr : m_socket.toUtf8().constData());
    if (!m_client) return qWarning("gestured: %s: %s", qPrintable(m_socket), strerror(errno));
    gestured_set_log_handler(m_client, logMessage, nullptr);
    gestured_options options = {};
    options.phases = "begin update end cancel";
    gestured_subscribe(m_client, &options);
    m_notifier = new QSocketNotifier(gestured_get_fd(m_client), QSocketNotifier::Read, this);
    connect(m_notifier, &QSocketNotifier::activated, this, &Gestured::dispatch);
}

void Gestured::disconnectFromDaemon() {
    m_generation++;
    m_notifier->setEnabled(false);
    std::exchange(m_notifier, nullptr)->deleteLater();
    gestured_free(m_client);
    m_client = nullptr;
    m_told.clear();
    m_order.clear();
    m_unsent.clear();
    m_receivers.clear();
    for (Region *region : m_regions) QMetaObject::invokeMethod(region, &Region::cancelAll, Qt::QueuedConnection);
    setConnected(false);
}

void Gestured::dispatch() {
    const int generation = m_generation;
    gestured_dispatch(m_client);
    while (const gestured_event *event = gestured_next_event(m_client)) {
        take(*event);
        if (generation != m_generation) return;
    }
    setConnected(gestured_is_connected(m_client));
}

/// Takes an event, which is not valid any more as soon as a signal is emitted: its handler may run an event loop.
void Gestured::take(const gestured_event &event) {
    const gestured_gesture *gesture = gestured_event_get_gesture(&event);
    const gestured_config *config = gestured_event_get_config(&event);
    QVariantMap line = QJsonDocument::fromJson(gestured_event_get_line(&event)).object().toVariantMap();
    if (const gestured_reply *reply = gestured_event_get_reply(&event)) return take(*reply, line);
    const QByteArray change = config ? config->change : "";
    if (gestured_event_get_hello(&event) || change == "applied" || change == "output") {
        m_devicesRequest = gestured_request(m_client, "devices", nullptr);
        retryRefused(false);
    }
    if (gesture && gesture->added) {
        line = {{"event", "gesture"}, {"gesture", gesture->gesture}, {"name", gesture->name}, {"phase", "cancel"},
            {"reason", gesture->reason}, {"region", gesture->region}, {"sequence", qint64(gesture->sequence)}, {"added", true}};
        if (gesture->action) line.insert("action", gesture->action);
        if (gesture->leased > 0) line.insert("leased", true);
    }
    if (gesture)
        if (Region *region = m_receivers.value(QString::fromUtf8(gesture->region))) region->take(line);
    if (!line.isEmpty()) emit this->event(line);
}

void Gestured::setConnected(bool isConnected) {
    if (isConnected == m_isConnected) return;
    m_isConnected = isConnected;
    emit connectedChanged();
}

void Gestured::take(const gestured_reply &reply, const QVariantMap &line) {
    if (reply.id == m_devicesRequest) return takeDevices(line.value("devices").toList());
    for (auto told = m_told.begin(); told != m_told.end(); ++told) {
        if (told->number != reply.id) continue;
        told->isWaiting = false;
        told->isRefused = !reply.ok;
        told->isBusy = !reply.ok && reply.code == QByteArray("busy");
        // The item may have moved meanwhile.
        schedule();
        if (reply.ok) return;
        m_order.removeAll(told.key());
        return told->region->warn(QString::fromUtf8(reply.message));
    }
    emit this->reply(reply.id, reply.ok, line);
}

void Gestured::takeDevices(const QVariantList &devices) {
    m_outputSizes.clear();
    for (const QVariant &value : devices) {
        const QVariantMap device = value.toMap(), output = device.value("output").toMap();
        m_outputSizes[device.value("device").toString()] = {output.value("width").toDouble(), output.value("height").toDouble()};
    }
}

/// Puts refused regions again, because the daemon may accept them now: all, or one of those that were too many.
void Gestured::retryRefused(bool onlyBusy) {
    schedule();
    for (Told &told : m_told) {
        if (!told.isRefused || (onlyBusy && !told.isBusy)) continue;
        told.definition.clear();
        if (onlyBusy) return;
    }
}

void Gestured::add(Region *region) {
    m_regions.append(region);
    schedule();
}

void Gestured::remove(Region *region) {
    m_regions.removeAll(region);
    m_receivers.removeIf([=](const auto &receiver) { return receiver.value() == region; });
    for (auto told = m_told.cbegin(); told != m_told.cend(); ++told)
        if (told->region == region) return forget(QString(told.key()), false);
}

void Gestured::follow(QQuickWindow *window) {
    connect(window, &QQuickWindow::afterAnimating, this, &Gestured::synchronize, Qt::UniqueConnection);
}

void Gestured::schedule() {
    if (m_isScheduled) return;
    m_isScheduled = true;
    QMetaObject::invokeMethod(this, &Gestured::synchronize, Qt::QueuedConnection);
}

void Gestured::forget(const QString &id, bool wait) {
    Region *region = m_told.take(id).region;
    m_order.removeAll(id);
    // The daemon may still have what a refused definition was to replace.
    if (gestured_remove_region(m_client, id.toUtf8().constData(), wait) == -EAGAIN) m_unsent.append(id);
    if (!wait) m_receivers.remove(id);
    if (!wait && m_regions.contains(region)) QMetaObject::invokeMethod(region, &Region::cancelAll, Qt::QueuedConnection);
    retryRefused(true);
}

/// The regions that can be touched, from the lowest to the topmost.
QList<Region *> Gestured::touchableRegions() const {
    QList<QPair<QList<QPair<qreal, int>>, Region *>> ordered;
    QSet<QString> ids;
    for (Region *region : m_regions) {
        if (!region->isShown() || !region->updateOutline()) continue;
        const qsizetype count = ids.size();
        ids.insert(region->id());
        if (ids.size() > count) ordered.append({region->paintOrder(), region});
        else region->warnOfSameName();
    }
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
    QList<Region *> regions;
    for (const auto &pair : ordered) regions.append(pair.second);
    return regions;
}

/// Removes the regions of other items, those inside others first. A region that is only out of sight keeps the touches that it has.
void Gestured::forgetAllBut(const QList<Region *> &regions) {
    QHash<QString, Region *> wanted;
    for (Region *region : regions) wanted[region->id()] = region;
    QStringList known = m_order;
    for (auto told = m_told.cbegin(); told != m_told.cend(); ++told)
        if (told->isRefused) known.append(told.key());
    for (auto id = known.crbegin(); id != known.crend(); ++id) {
        const Region *region = m_told.value(*id).region;
        if (region && wanted.value(*id) != region) forget(*id, region->id() == *id && region->isShown());
    }
}

void Gestured::synchronize() {
    m_isScheduled = false;
    connectToDaemon();
    if (!m_client || (m_regions.isEmpty() && m_told.isEmpty() && m_unsent.isEmpty())) return;
    const QStringList unsent = std::exchange(m_unsent, {});
    for (const QString &id : unsent)
        if (gestured_remove_region(m_client, id.toUtf8().constData(), false) == -EAGAIN) m_unsent.append(id);

    const QList<Region *> touchable = touchableRegions();
    forgetAllBut(touchable);
    QList<Region *> regions;
    QList<QByteArray> definitions;
    QSet<const QQuickItem *> possible;
    for (Region *region : touchable) {
        const QByteArray definition = region->definition(possible);
        const auto told = m_told.constFind(region->id());
        if (told != m_told.cend() && told->isRefused && told->definition == definition) continue;
        regions.append(region);
        definitions.append(definition);
        possible.insert(region);
    }
    order(regions, definitions);
}

/// Puts what has changed, so that the regions have this order, from the lowest to the topmost.
void Gestured::order(const QList<Region *> &regions, const QList<QByteArray> &definitions) {
    QStringList wanted;
    for (Region *region : regions) wanted.append(region->id());
    const auto isNew = [this](const QString &id) {
        const auto told = m_told.constFind(id);
        return told == m_told.cend() || told->isRefused;
    };
    // From the lowest up, because the daemon must know a region before those in it.
    for (qsizetype index = 0; index < regions.size(); index++) {
        const bool adds = isNew(wanted[index]);
        if (!adds && m_told[wanted[index]].definition == definitions[index]) continue;
        QString below;
        for (qsizetype above = index + 1; adds && below.isEmpty() && above < wanted.size(); above++)
            if (!isNew(wanted[above])) below = wanted[above];
        put(regions[index], definitions[index], below);
    }
    if (wanted == m_order) return;
    for (qsizetype index = regions.size() - 2; index >= 0; index--)
        if (m_order.indexOf(wanted[index]) + 1 != m_order.indexOf(wanted[index + 1]))
            put(regions[index], definitions[index], wanted[index + 1]);
}

/// Sends a region, unless the answer to its last change is still missing. `below`: the region directly above it, if its place changes.
void Gestured::put(Region *region, const QByteArray &definition, const QString &below) {
    const QString id = region->id();
    if (m_told.value(id).isWaiting) return;
    const QByteArray above = below.toUtf8();
    const qint64 number = gestured_put_region(m_client, definition.constData(), below.isEmpty() ? nullptr : above.constData(), true);
    // The next reply calls `schedule`.
    if (number == -EAGAIN) return;
    m_told[id] = {region, definition, number, number > 0, number < 0, false};
    Region *last = m_receivers.value(id);
    if (last && last != region) QMetaObject::invokeMethod(last, &Region::cancelAll, Qt::QueuedConnection);
    m_receivers[id] = region;
    m_unsent.removeAll(id);
    if (number < 0) {
        m_order.removeAll(id);
        return region->warn(QString::fromUtf8(strerror(int(-number))));
    }
    if (!below.isEmpty()) m_order.removeAll(id);
    if (!m_order.contains(id)) m_order.insert(below.isEmpty() ? m_order.size() : m_order.indexOf(below), id);
}

qint64 Gestured::request(const QString &command, const QVariantMap &keys) {
    connectToDaemon();
    const QByteArray json = QJsonDocument(QJsonObject::fromVariantMap(keys)).toJson(QJsonDocument::Compact);
    return m_client ? gestured_request(m_client, command.toUtf8().constData(), json.constData()) : -ENOMEM;
}

qint64 Gestured::setScene(const QString &scene, qint64 forMilliseconds) {
    connectToDaemon();
    return m_client ? gestured_set_scene(m_client, scene.toUtf8().constData(), forMilliseconds) : -ENOMEM;
}

qint64 Gestured::setProfile(const QString &profile, bool lease) {
    connectToDaemon();
    return m_client ? gestured_set_profile(m_client, profile.toUtf8().constData(), lease) : -ENOMEM;
}
