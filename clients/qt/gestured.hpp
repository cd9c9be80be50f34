// SPDX-License-Identifier: MIT
#pragma once

#include <QHash>
#include <QObject>
#include <QPointer>
#include <QSizeF>
#include <QStringList>
#include <QVariantList>
#include <QVariantMap>
#include <QtQml/qqmlregistration.h>

#include "region.hpp"

class QQuickWindow;
class QSocketNotifier;
struct gestured;
struct gestured_event;
struct gestured_reply;

/// The connection of all `GesturedRegion` items of an engine with the daemon, as the QML singleton `Gestured`.
class Gestured : public QObject {
    Q_OBJECT
    QML_ELEMENT
    QML_SINGLETON
    /// The daemon's socket. Empty: $GESTURED_SOCKET, or the socket of the system's daemon.
    Q_PROPERTY(QString socket READ socket WRITE setSocket NOTIFY socketChanged)
    /// The panel that shows the window. It may stay empty if there is one panel.
    Q_PROPERTY(QString device READ device WRITE setDevice NOTIFY deviceChanged)
    /// The begin of the ids of regions, which `define_prefix` of the daemon's configuration may require.
    Q_PROPERTY(QString prefix READ prefix WRITE setPrefix NOTIFY prefixChanged)
    Q_PROPERTY(bool connected READ isConnected NOTIFY connectedChanged)

public:
    explicit Gestured(QObject *parent = nullptr);
    ~Gestured() override;

    bool isConnected() const { return m_isConnected; }
    QString socket() const { return m_socket; }
    QString device() const { return m_device; }
    QString prefix() const { return m_prefix; }
    void setSocket(const QString &socket);
    void setDevice(const QString &device);
    void setPrefix(const QString &prefix);

    /// Sends a request; `keys` has its other keys. Returns its number, with which `reply` is emitted; negative: it cannot be sent.
    Q_INVOKABLE qint64 request(const QString &command, const QVariantMap &keys = {});
    /// Switches the scene. With a time in milliseconds, the former scene comes back after it.
    Q_INVOKABLE qint64 setScene(const QString &scene, qint64 forMilliseconds = 0);
    /// Switches the profile. With a lease, it ends with the connection.
    Q_INVOKABLE qint64 setProfile(const QString &profile, bool lease = false);

    /// The instance of the engine of a QML item.
    static Gestured *of(const QObject *item);

    void add(Region *region);
    void remove(Region *region);
    /// Calls `synchronize` for each frame of a window, before it is rendered.
    void follow(QQuickWindow *window);
    /// Calls `synchronize` soon, also if no window renders a frame.
    void schedule();
    /// The size in pixels of the output of a device; empty: not known.
    QSizeF outputSize(const QString &device) const { return m_outputSizes.value(device); }

public slots:
    /// Tells the daemon what has changed since the last frame.
    void synchronize();

signals:
    void socketChanged();
    void deviceChanged();
    void prefixChanged();
    void connectedChanged();
    /// Any line of the daemon, by its keys in docs/protocol.md.
    void event(const QVariantMap &line);
    void reply(qint64 number, bool ok, const QVariantMap &line);

private:
    /// What the daemon has been told about a region.
    struct Told {
        Region *region = nullptr;
        QByteArray definition;
        /// The number of the last request.
        qint64 number = 0;
        bool isWaiting = false;
        bool isRefused = false;
        /// Whether the definition is refused because there are too many regions.
        bool isBusy = false;
    };

    void connectToDaemon();
    void disconnectFromDaemon();
    void dispatch();
    void take(const gestured_event &event);
    void take(const gestured_reply &reply, const QVariantMap &line);
    void setConnected(bool isConnected);
    void takeDevices(const QVariantList &devices);
    void retryRefused(bool onlyBusy);
    QList<Region *> touchableRegions() const;
    void forgetAllBut(const QList<Region *> &regions);
    void order(const QList<Region *> &regions, const QList<QByteArray> &definitions);
    void put(Region *region, const QByteArray &definition, const QString &below);
    void forget(const QString &id, bool wait);

    QString m_socket, m_device, m_prefix = QStringLiteral("app.");
    bool m_isConnected = false, m_isScheduled = false;
    gestured *m_client = nullptr;
    /// Counts clients, because a handler of an event may replace the client.
    int m_generation = 0;
    QSocketNotifier *m_notifier = nullptr;
    QList<Region *> m_regions;
    QHash<QString, Told> m_told;
    /// The items that receive the gestures of regions, also of those whose removal waits because they are touched.
    QHash<QString, QPointer<Region>> m_receivers;
    /// The ids of `m_told` that are not refused, from the lowest to the topmost.
    QStringList m_order;
    /// Regions whose removal cannot be sent yet.
    QStringList m_unsent;
    qint64 m_devicesRequest = 0;
    QHash<QString, QSizeF> m_outputSizes;
};
